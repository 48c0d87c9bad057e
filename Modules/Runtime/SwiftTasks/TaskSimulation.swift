internal import CSwiftTasks

/// Receives the jobs that a simulation's threads hand to the executors of Swift's runtime.
public protocol JobReceiver: AnyObject {
  /// The job is ready.
  func receive(_ job: SwiftJob)
  /// The job is ready after that many nanoseconds.
  func receive(_ job: SwiftJob, after delay: Int64)
  /// A task is about to run on the calling thread; called if the simulation is watched.
  func willRun(_ task: SwiftTask)
}

/// What leads the jobs of a thread, and its clock, into a simulation.
///
/// While a thread is ``enter()``ed, every task that its code starts or resumes is handed to the receiver, and every clock
/// shows ``now``. Other threads are not affected.
public final class TaskSimulation: @unchecked Sendable {
  // Safe to share: the state is touched by threads that have entered, of which one runs at a time.
  /// Receives the jobs; not retained, so it must live as long as a thread is entered.
  public unowned(unsafe) var receiver: (any JobReceiver)!
  private let state: UnsafeMutablePointer<SwiftTasksSimulation>
  private var isSupported = true

  /// A simulation on the runtime of the process, if that supports it: see ``RuntimeSupport``.
  public convenience init() {
    self.init(receiver: nil)
    isSupported = RuntimeSupport.current.obstacle == nil
  }

  init(receiver: (any JobReceiver)?) {
    self.receiver = receiver
    state = .allocate(capacity: 1)
    state.initialize(
      to: SwiftTasksSimulation(
        receiver: Unmanaged.passUnretained(self).toOpaque(), now: 0, isWatched: false,
        destination: nil))
  }

  deinit { state.deallocate() }

  /// The virtual time, in nanoseconds since the start of the simulation.
  public var now: Int64 {
    get { state.pointee.now }
    set { state.pointee.now = newValue }
  }

  /// Whether the receiver is called when a task is about to run.
  public var isWatched: Bool {
    get { state.pointee.isWatched }
    set { state.pointee.isWatched = newValue }
  }

  /// Where the hop leads that the receiver is being handed.
  public var destination: SwiftExecutor? { state.pointee.destination.map(SwiftExecutor.init) }

  /// What a thread was in before it entered a simulation.
  public struct Outside {
    fileprivate let simulation: UnsafeMutablePointer<SwiftTasksSimulation>?
  }

  /// The calling thread belongs to the simulation from now on.
  ///
  /// - Returns: what to ``leave(to:)`` it to.
  public func enter() -> Outside {
    defer { if isSupported { swift_tasks_setCurrent(state) } }
    return Outside(simulation: swift_tasks_getCurrent())
  }

  /// The calling thread belongs to what it belonged to before.
  public static func leave(to outside: Outside) { swift_tasks_setCurrent(outside.simulation) }

  /// Runs `body` as a thread that belongs to no simulation, with the machine's clock.
  public static func outside<Result>(_ body: () -> Result) -> Result {
    let own = swift_tasks_getCurrent()
    swift_tasks_setCurrent(nil)
    defer { swift_tasks_setCurrent(own) }
    return body()
  }

  /// The receiver of the calling thread's jobs; nil outside of a simulation.
  @inline(__always)
  static func withCurrent(_ body: (any JobReceiver) -> Void) -> Bool {
    guard let current = swift_tasks_getCurrent() else { return false }
    Unmanaged<TaskSimulation>.fromOpaque(current.pointee.receiver)._withUnsafeGuaranteedRef {
      body($0.receiver)
    }
    return true
  }
}

@_cdecl("swift_tasks_willRun")
func willRun(_ receiver: UnsafeMutableRawPointer, _ task: UnsafeRawPointer) {
  Unmanaged<TaskSimulation>.fromOpaque(receiver)._withUnsafeGuaranteedRef {
    $0.receiver.willRun(SwiftTask(pointer: task))
  }
}
