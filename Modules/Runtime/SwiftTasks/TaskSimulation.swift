internal import AsyncRuntime
internal import CSwiftTasks
internal import Synchronization

/// Receives the jobs that a simulation's threads hand to the executors of Swift's runtime.
public protocol JobReceiver: AnyObject, Sendable {
  /// The job is ready.
  func receive(_ job: SwiftJob)
  /// The job is ready after that many nanoseconds.
  func receive(_ job: SwiftJob, after delay: Int64)
  /// A task is about to run on the calling thread; called if the simulation is watched.
  func willRun(_ task: SwiftTask)

  /// The item is ready after that many nanoseconds.
  func receive(_ item: DispatchItem, after delay: Int64)
  /// Runs the item as its queue would, and returns when it has run.
  func runNow(_ item: DispatchItem)
  /// What blocks the calling thread until it is ended.
  ///
  /// - Parameter name: what the thread waits for, for reports.
  func makeBlocking(for name: String) -> any Blocking
  /// Receives what threads do that do not belong to the simulation; without it, that is lost.
  var outsideReceiver: (any OutsideReceiver)? { get }
}

extension JobReceiver {
  public var outsideReceiver: (any OutsideReceiver)? { nil }
  public func receive(_ item: DispatchItem, after delay: Int64) { item.run() }
  public func runNow(_ item: DispatchItem) { item.run() }
  public func makeBlocking(for name: String) -> any Blocking {
    fatalError("This receiver cannot block a thread")
  }
}

/// Blocks a thread of a simulation, once.
public protocol Blocking: AnyObject, Sendable {
  /// Blocks the calling thread until ``end()``, or for that many nanoseconds.
  func wait(atMost limit: Int64?)
  func end()
}

/// What leads the jobs of a thread, and its clock, into a simulation.
///
/// While a thread is ``enter()``ed, every task that its code starts or resumes is handed to the receiver, and every clock
/// shows ``now``. The random numbers of the system are then the same in every simulation. Other threads are not affected.
public final class TaskSimulation: @unchecked Sendable {
  // Safe to share: the state is touched by threads that have entered, of which one runs at a time.

  /// Receives the jobs; not retained, so it must live as long as a thread is entered.
  public unowned(unsafe) var receiver: (any JobReceiver)! {
    didSet { Registry.shared.add(receiver?.outsideReceiver, as: number) }
  }
  /// Tells it from all others.
  let number: UInt64
  /// Whether it is only the way of a thread outside into another one.
  private let isEntrance: Bool
  private let state: UnsafeMutablePointer<SwiftTasksSimulation>
  private var isSupported = true
  /// What its threads wait for that Dispatch alone can tell.
  var waits = DispatchWaits()
  /// Whether a thread waits for an object of Dispatch, which a thread outside may change.
  public var waitsForDispatch: Bool { !waits.isEmpty }

  /// A simulation on the runtime of the process, if that supports it: see ``RuntimeSupport``.
  public convenience init() {
    self.init(receiver: nil)
    isSupported = RuntimeSupport.current.obstacle == nil
  }

  /// - Parameter number: that of the simulation to which it is an entrance; nil for one of its own.
  init(receiver: (any JobReceiver)?, number: UInt64? = nil) {
    self.receiver = receiver
    self.number = number ?? Registry.shared.nextNumber()
    isEntrance = number != nil
    state = .allocate(capacity: 1)
    state.initialize(
      to: SwiftTasksSimulation(
        receiver: Unmanaged.passUnretained(self).toOpaque(), now: 0, isWatched: false,
        destination: nil, queue: nil, random: 0))
  }

  deinit {
    if !isEntrance { Registry.shared.remove(number) }
    state.deallocate()
  }

  /// The virtual time, in nanoseconds since the start of the simulation.
  public var now: Int64 {
    get { state.pointee.now }
    set { state.pointee.now = newValue }
  }

  /// Where the random numbers of the simulation start; 0 unless it is set.
  public var randomState: UInt64 {
    get { state.pointee.random }
    set { state.pointee.random = newValue }
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
    defer {
      if isSupported {
        swift_tasks_noteUse()
        swift_tasks_setCurrent(state)
      }
    }
    return Outside(simulation: swift_tasks_getCurrent())
  }

  /// The calling thread belongs to what it belonged to before.
  public static func leave(to outside: Outside) { swift_tasks_setCurrent(outside.simulation) }

  /// The whole process belongs to the simulation from now on: the calling thread, which must be the main one, as if it
  /// had entered, and the tasks that any other thread starts.
  ///
  /// - Parameter run: called on the main thread once the program's `main` waits for tasks.
  public func takeOverProcess(run: @escaping () -> Void) {
    swift_tasks_closeShortcut()
    Self.ofProcess = ProcessSimulation(receiver: receiver?.outsideReceiver, run: run)
    _ = enter()
  }

  /// The simulation that the process belongs to; set before there are other threads.
  nonisolated(unsafe) static var ofProcess: ProcessSimulation?

  /// Runs `body` as a thread that belongs to no simulation, with the machine's clock.
  public static func outside<Result>(_ body: () -> Result) -> Result {
    let own = swift_tasks_getCurrent()
    swift_tasks_setCurrent(nil)
    defer { swift_tasks_setCurrent(own) }
    return body()
  }

  /// Runs `body` on a thread that does not belong to the simulation: the tasks that it starts do.
  public func leadingTasks<Result>(of body: () -> Result) -> Result {
    let mailbox = Mailbox(to: receiver?.outsideReceiver)
    let entrance = TaskSimulation(receiver: mailbox, number: number)
    entrance.isSupported = isSupported
    let outside = entrance.enter()
    defer { Self.leave(to: outside) }
    return withExtendedLifetime(mailbox, body)
  }

  /// Hands a job to the simulation of the calling thread, or to that of the job's task.
  ///
  /// The task of a simulation that is gone never continues.
  ///
  /// - Parameter delay: after how many nanoseconds it is ready; nil for immediately.
  /// - Returns: false if the job belongs to none.
  @inline(__always)
  static func receive(_ job: UnownedJob, for place: SwiftJob.Place, after delay: Int64? = nil)
    -> Bool
  {
    let job = SwiftJob(job, for: place)
    guard let current = swift_tasks_getCurrent() else {
      if swift_tasks_records() {
        swift_tasks_recordReady(job.pointer, Int32(place.rawValue), delay ?? -1)
        return false
      }
      let mark = swift_tasks_markOf(job.pointer)
      // A recording may have ended since it marked the task.
      let number = mark >= SWIFT_TASKS_RECORDED ? 0 : mark
      let receiver = number == 0 ? ofProcess?.receiver : Registry.shared[number]
      receiver?.receiveFromOutside(job, after: delay ?? 0)
      return number != 0 || receiver != nil
    }
    Unmanaged<TaskSimulation>.fromOpaque(current.pointee.receiver)._withUnsafeGuaranteedRef {
      swift_tasks_mark(job.pointer, $0.number)
      if let delay { $0.receiver.receive(job, after: delay) } else { $0.receiver.receive(job) }
    }
    return true
  }
}

extension TaskSimulation {
  /// A thread outside has changed an object that the simulation waits for.
  static func changedOutside(_ object: UnsafeRawPointer, in number: UInt64) {
    guard let receiver = Registry.shared[number] else { return }
    let object = UInt(bitPattern: object)
    receiver.performFromOutside {
      guard let current = swift_tasks_getCurrent(),
        let object = UnsafeRawPointer(bitPattern: object)
      else { return }
      Unmanaged<TaskSimulation>.fromOpaque(current.pointee.receiver).takeUnretainedValue()
        .changed(object)
    }
  }
}

/// What leads all tasks of the process.
struct ProcessSimulation {
  let receiver: (any OutsideReceiver)?
  let run: () -> Void
}

/// Takes the tasks that a thread starts which does not belong to the simulation.
private final class Mailbox: JobReceiver {
  let outsideReceiver: (any OutsideReceiver)?

  init(to receiver: (any OutsideReceiver)?) { outsideReceiver = receiver }

  func receive(_ job: SwiftJob) { outsideReceiver?.receiveFromOutside(job, after: 0) }
  func receive(_ job: SwiftJob, after delay: Int64) {
    outsideReceiver?.receiveFromOutside(job, after: delay)
  }
  func willRun(_ task: SwiftTask) {}
}

/// The simulations of the process, by number.
private final class Registry: Sendable {
  static let shared = Registry()

  private struct Entry: Sendable {
    weak var receiver: (any OutsideReceiver)?
  }

  private let entries = Locked<[UInt64: Entry]>([:])
  private let count = Atomic<UInt64>(0)

  func nextNumber() -> UInt64 { count.add(1, ordering: .relaxed).newValue }

  func add(_ receiver: (any OutsideReceiver)?, as number: UInt64) {
    entries.withLock { $0[number] = Entry(receiver: receiver) }
  }

  func remove(_ number: UInt64) { entries.withLock { $0[number] = nil } }

  subscript(number: UInt64) -> (any OutsideReceiver)? { entries.withLock { $0[number]?.receiver } }
}

@_cdecl("swift_tasks_willRun")
func willRun(_ receiver: UnsafeMutableRawPointer, _ task: UnsafeRawPointer) {
  Unmanaged<TaskSimulation>.fromOpaque(receiver)._withUnsafeGuaranteedRef {
    $0.receiver.willRun(SwiftTask(pointer: task))
  }
}
