internal import AsyncRuntime
internal import CSwiftTasks
internal import Synchronization

/// Receives the jobs that a simulation's threads hand to the executors of Swift's runtime.
public protocol JobReceiver: AnyObject, Sendable {
  /// The job is ready.
  func receive(_ job: SwiftJob)
  /// The job becomes ready after `delay` nanoseconds.
  func receive(_ job: SwiftJob, after delay: Int64)
  /// A task is about to run on the calling thread. Called only if the simulation is watched.
  func willRun(_ task: SwiftTask)

  /// The item becomes ready after `delay` nanoseconds.
  func receive(_ item: DispatchItem, after delay: Int64)
  /// Runs the item as its queue would, and returns after it has run.
  func runNow(_ item: DispatchItem)
  /// Makes an object that blocks the calling thread until it is ended.
  ///
  /// - Parameter name: the name of the awaited object in reports.
  func makeBlocking(for name: String) -> any Blocking
  /// Receives calls from threads that do not belong to the simulation. If it is nil, those calls
  /// are discarded.
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
  /// Blocks the calling thread until ``end()``, or for `limit` nanoseconds.
  func wait(atMost limit: Int64?)
  func end()
}

/// Sends the jobs of a thread to a receiver, and gives the thread a virtual clock.
///
/// After a thread has called ``enter()``, the receiver gets every task that its code starts or
/// resumes. Every clock shows ``now``. By default, the random numbers of the system are the same in
/// every simulation. Other threads are not affected.
public final class TaskSimulation: @unchecked Sendable {
  // Safe to share: only threads that have entered access the state, and only one of them runs at a
  // time.

  /// Receives the jobs. It is not retained, so it must live as long as a thread is in the
  /// simulation.
  // Unchecked, since the check takes a third of the time of handing over a job. No access spans a call.
  @exclusivity(unchecked) public unowned(unsafe) var receiver: (any JobReceiver)!
  /// The number of the simulation. Only its entrances have the same number.
  let number: UInt64
  /// Whether it only passes tasks of an outside thread to another simulation.
  private let isEntrance: Bool
  private let state: UnsafeMutablePointer<SwiftTasksSimulation>
  private var isSupported = true
  /// Whether threads outside the simulation can find it.
  private let isRegistered = Atomic<Bool>(false)
  /// The waits of its threads for Dispatch objects.
  var waits = DispatchWaits()
  /// Whether a thread waits for a Dispatch object. A thread outside may change such an object.
  public var waitsForDispatch: Bool { !waits.isEmpty }

  /// Whether the simulation has received a job of a task.
  public var hasTasks: Bool { isRegistered.load(ordering: .relaxed) }

  /// Makes a simulation. It has an effect only if the runtime of the process supports it: see
  /// ``RuntimeSupport``.
  public convenience init() {
    self.init(receiver: nil)
    isSupported = RuntimeSupport.current.obstacle == nil
  }

  /// - Parameter number: the number of the simulation to which this one passes tasks; nil for a
  ///   simulation of its own.
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

  /// Lets threads outside the simulation find it, by the marks of its tasks. Done only when needed, since many
  /// simulations have no tasks.
  @inline(__always)
  func register() { if !isRegistered.load(ordering: .relaxed) { registerFirst() } }

  @inline(never)
  private func registerFirst() {
    if isEntrance { return }
    Registry.shared.add(receiver?.outsideReceiver, as: number)
    // Set last, so that no thread relies on it before. A second call changes nothing.
    isRegistered.store(true, ordering: .relaxed)
  }

  deinit {
    if isRegistered.load(ordering: .relaxed) { Registry.shared.remove(number) }
    state.deallocate()
  }

  /// The virtual time, in nanoseconds since the start of the simulation.
  public var now: Int64 {
    get { state.pointee.now }
    set { state.pointee.now = newValue }
  }

  /// The state of the simulation's random number generator; 0 at first.
  public var randomState: UInt64 {
    get { state.pointee.random }
    set { state.pointee.random = newValue }
  }

  /// Whether the receiver is called each time a task is about to run.
  public var isWatched: Bool {
    get { state.pointee.isWatched }
    set { state.pointee.isWatched = newValue }
  }

  /// The destination of the hop that is being received: an actor or a serial executor; nil for the pool.
  public var destination: SwiftExecutor? { state.pointee.destination.map(SwiftExecutor.init) }

  /// The Dispatch queue to which the running code belongs, if any.
  public struct Queue {
    fileprivate let pointer: UnsafeRawPointer?
  }

  /// Notes that the code that runs next does not belong to the current Dispatch queue.
  public func leaveQueue() -> Queue {
    defer { state.pointee.queue = nil }
    return Queue(pointer: state.pointee.queue)
  }

  /// Notes that the code that had left its Dispatch queue continues.
  public func enterQueue(_ queue: Queue) { state.pointee.queue = queue.pointer }

  /// The simulation of a thread before it entered another one.
  public struct Outside {
    fileprivate let simulation: UnsafeMutablePointer<SwiftTasksSimulation>?
  }

  /// Makes the calling thread a part of the simulation.
  ///
  /// - Returns: the value to pass to ``leave(to:)``.
  public func enter() -> Outside {
    defer {
      if isSupported {
        swift_tasks_noteUse()
        swift_tasks_setCurrent(state)
      }
    }
    return Outside(simulation: swift_tasks_getCurrent())
  }

  /// Takes the calling thread back to the simulation that it was in before, if any.
  public static func leave(to outside: Outside) { swift_tasks_setCurrent(outside.simulation) }

  /// Makes the whole process a part of the simulation. The calling thread, which must be the main
  /// thread, enters the simulation. Tasks that other threads start belong to the simulation, too.
  ///
  /// - Parameter run: called on the main thread once the program's `main` waits for tasks.
  public func takeOverProcess(run: @escaping () -> Void) {
    swift_tasks_closeShortcut()
    Self.ofProcess = ProcessSimulation(receiver: receiver?.outsideReceiver, run: run)
    _ = enter()
  }

  /// The simulation of the whole process. It is set before there are other threads.
  nonisolated(unsafe) static var ofProcess: ProcessSimulation?

  /// Runs `body` outside all simulations, with the machine's clock.
  public static func outside<Result>(_ body: () -> Result) -> Result {
    let own = swift_tasks_getCurrent()
    swift_tasks_setCurrent(nil)
    defer { swift_tasks_setCurrent(own) }
    return body()
  }

  /// Runs `body` on a thread that does not belong to the simulation. The tasks that `body` starts
  /// do belong to it.
  public func leadingTasks<Result>(of body: () -> Result) -> Result {
    register()
    let mailbox = Mailbox(to: receiver?.outsideReceiver)
    let entrance = TaskSimulation(receiver: mailbox, number: number)
    entrance.isSupported = isSupported
    let outside = entrance.enter()
    defer { Self.leave(to: outside) }
    return withExtendedLifetime(mailbox, body)
  }

  /// Hands a job to the simulation of the calling thread, or else to that of the job's task.
  ///
  /// A task of a simulation that no longer exists never continues.
  ///
  /// - Parameter delay: the nanoseconds until the job is ready; nil if it is ready now.
  /// - Returns: false if the job belongs to no simulation.
  @inline(__always)
  static func receive(_ job: UnownedJob, for place: SwiftJob.Place, after delay: Int64? = nil)
    -> Bool
  {
    let job = SwiftJob(job, for: place)
    guard let current = swift_tasks_getCurrent() else {
      if swift_tasks_records() {
        swift_tasks_recordReady(job.pointer, delay ?? -1)
        return false
      }
      let mark = swift_tasks_markOf(job.pointer)
      // The task may have a mark of a recording that has ended.
      let number = mark >= SWIFT_TASKS_RECORDED ? 0 : mark
      let receiver = number == 0 ? ofProcess?.receiver : Registry.shared[number]
      receiver?.receiveFromOutside(job, after: delay ?? 0)
      return number != 0 || receiver != nil
    }
    Unmanaged<TaskSimulation>.fromOpaque(current.pointee.receiver)._withUnsafeGuaranteedRef {
      $0.register()
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

/// The simulation of all tasks of the process.
struct ProcessSimulation {
  let receiver: (any OutsideReceiver)?
  let run: () -> Void
}

/// Takes the tasks of a thread that does not belong to the simulation.
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
