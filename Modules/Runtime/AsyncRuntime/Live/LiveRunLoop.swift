internal import CoreFoundation
internal import Dispatch
internal import Foundation
internal import Synchronization

// No other code of this module uses CoreFoundation.

/// A run loop of the machine: the `CFRunLoop` of a thread.
///
/// ```swift
/// let loop = LiveRuntime.shared.runLoop("pages")  // one on a thread of its own
/// loop.schedule { print("on that thread") }
/// ```
///
/// The run loop of the main thread is `LiveRuntime.main`. Jobs run in the common modes, one after another.
public final class LiveRunLoop: RunLoopScheduler, @unchecked Sendable {
  // Safe to share: CoreFoundation locks its run loops, and the reference never changes.
  private let loop: CFRunLoop
  /// Keeps a loop from ending because it has nothing to wait for. Nil for a loop that other code runs.
  private let keeper: CFRunLoopSource?
  private let trace: (any TraceSink)?
  /// How many jobs wait for the loop or run on it; counted only with a trace.
  private let jobCount = Atomic(0)

  private init(_ loop: CFRunLoop) {
    self.loop = loop
    keeper = nil
    trace = nil
  }

  /// The run loop of the calling thread. Jobs wait until the thread runs the loop.
  public static var current: LiveRunLoop { LiveRunLoop(CFRunLoopGetCurrent()) }

  /// A loop on a thread of its own. The thread ends when the loop has no references and the jobs that were scheduled by
  /// then have run.
  ///
  /// - Parameters:
  ///   - label: the name of the thread.
  ///   - trace: records which jobs waited for the loop.
  init(label: String, trace: (any TraceSink)?) {
    self.trace = trace
    let ready = DispatchSemaphore(value: 0)
    let made = Locked<Unchecked<(CFRunLoop, CFRunLoopSource?)>?>(nil)
    let thread = Thread {
      var context = CFRunLoopSourceContext()
      let keeper = CFRunLoopSourceCreate(nil, 0, &context)
      CFRunLoopAddSource(CFRunLoopGetCurrent(), keeper, kCFRunLoopCommonModes)
      made.withLock { $0 = Unchecked(value: (CFRunLoopGetCurrent(), keeper)) }
      ready.signal()
      CFRunLoopRun()
    }
    thread.name = label
    thread.start()
    ready.wait()
    // The thread has signalled, so the loop exists.
    (loop, keeper) = made.withLock { $0!.value }
  }

  deinit {
    guard let keeper else { return }
    let loop = Unchecked(value: (loop, keeper))
    // This block runs after the jobs that were scheduled before it.
    CFRunLoopPerformBlock(self.loop, kCFRunLoopCommonModes) {
      CFRunLoopRemoveSource(loop.value.0, loop.value.1, kCFRunLoopCommonModes)
      CFRunLoopStop(loop.value.0)
    }
    CFRunLoopWakeUp(self.loop)
  }

  public var now: Instant { LiveClock.now }

  public func schedule(_ job: @escaping @Sendable () -> Void) {
    guard let due = DueTime.live(on: self, trace: trace) else { return schedule(Job(job), nil) }
    schedule(Job(due.hopped(job)), due)
  }

  private func schedule(_ job: Job, _ due: DueTime?) {
    if trace == nil {
      CFRunLoopPerformBlock(loop, kCFRunLoopCommonModes) { job.run() }
    } else {
      if jobCount.add(1, ordering: .relaxed).oldValue > 0 { due?.noteHeld() }
      CFRunLoopPerformBlock(loop, kCFRunLoopCommonModes) {
        job.run()
        self.jobCount.subtract(1, ordering: .relaxed)
      }
    }
    CFRunLoopWakeUp(loop)
  }

  public func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let due = DueTime.live(after: delay, on: self, trace: trace)
    let job = if let due { Job(due.timed(job)) } else { Job(job) }
    return LiveTimer(after: delay, job) { self.schedule($0, due) }
  }

  public var isCurrent: Bool { CFRunLoopGetCurrent() === loop }

  public func atEndOfTurn(
    order: Int, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let job = Job(action)
    let observer = Observer(of: loop, order: order) { job.run() }
    // The registration retains the loop, so the thread does not end while the loop has actions for
    // the end of its turns.
    return Registration { [self] in
      observer.invalidate()
      withExtendedLifetime(self) {}
    }
  }

  public func wake() { CFRunLoopWakeUp(loop) }
}

/// Objects of CoreFoundation. They can be used from any thread, but their Swift types do not say so.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
}

/// The actions of the main thread's run loop at the end of each turn.
///
/// A program with an `async` main or `dispatchMain` does not run that loop. There the actions run on the main queue
/// when the loop is woken, and a line on standard error says so once.
final class MainRunLoop: Sendable {
  static let shared = MainRunLoop()

  private struct State {
    var actions: [Action] = []
    var nextKey = 0
    var hasWarned = false
  }

  private struct Action: Sendable {
    let order: Int
    let key: Int
    let perform: @Sendable () -> Void
  }

  private let state = Locked(State())

  func atEndOfTurn(
    order: Int, _ perform: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let key = state.withLock { state in
      state.nextKey += 1
      state.actions.append(Action(order: order, key: state.nextKey, perform: perform))
      state.actions.sort { ($0.order, $0.key) < ($1.order, $1.key) }
      return state.nextKey
    }
    let observer = Observer(of: CFRunLoopGetMain(), order: order, perform)
    return Registration { [self] in
      observer.invalidate()
      // Released outside the lock: the `deinit` of an object that the action retains may run any code.
      let removed = state.withLock { state in
        state.actions.firstIndex { $0.key == key }.map { state.actions.remove(at: $0) }
      }
      withExtendedLifetime(removed) {}
    }
  }

  func wake() {
    CFRunLoopWakeUp(CFRunLoopGetMain())
    guard !isRunning else { return }
    DispatchQueue.main.async { [self] in
      // If the loop has begun to run in the meantime, the loop itself serves this block.
      if !isRunning { performWithoutLoop() }
    }
  }

  private var isRunning: Bool { CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) != nil }

  private func performWithoutLoop() {
    let (actions, isFirst) = state.withLock { state in
      guard !state.actions.isEmpty else { return (state.actions, false) }
      defer { state.hasWarned = true }
      return (state.actions, !state.hasWarned)
    }
    if isFirst {
      StandardError.write(
        """
        note: the main thread does not run its run loop, so work for the end of a turn runs on the \
        main queue instead; call CFRunLoopRun() from a synchronous main

        """)
    }
    for action in actions {
      // An earlier action may have cancelled this one.
      let isWanted = state.withLock { $0.actions.contains { $0.key == action.key } }
      if isWanted { action.perform() }
    }
  }
}

/// A run-loop observer for “about to wait” and “about to exit”.
private final class Observer: @unchecked Sendable {
  // Safe to share: CoreFoundation locks its observers, and the reference never changes.
  private let observer: CFRunLoopObserver?

  init(of loop: CFRunLoop, order: Int, _ perform: @escaping @Sendable () -> Void) {
    let activities = CFRunLoopActivity([.beforeWaiting, .exit]).rawValue
    observer = CFRunLoopObserverCreateWithHandler(nil, activities, true, order) { _, _ in perform()
    }
    CFRunLoopAddObserver(loop, observer, kCFRunLoopCommonModes)
  }

  func invalidate() { CFRunLoopObserverInvalidate(observer) }
}

/// A registration that is removed when it is cancelled.
private final class Registration: Cancellable {
  private let takeBack: Locked<(@Sendable () -> Void)?>
  init(_ takeBack: @escaping @Sendable () -> Void) { self.takeBack = Locked(takeBack) }
  func cancel() {
    let takeBack = takeBack.withLock { $0.take() }
    takeBack?()
  }
}
