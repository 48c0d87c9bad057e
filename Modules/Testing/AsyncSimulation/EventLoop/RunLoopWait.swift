import AsyncPatterns
import SwiftTasks

/// A wait of a thread in a run loop that is not the simulation's own, such as one of Foundation.
///
/// It ends when something wakes the run loop, or when its time has passed. It also ends when a job of the main lane has
/// run on the thread. It may end even earlier, so the caller must check its own condition and wait again.
final class RunLoopWait: @unchecked Sendable {
  // Safe to share: only the holder of the baton touches the mutable state.
  /// The run loop in which the thread waits.
  let runLoop: UnsafeRawPointer
  /// When the caller would check again for changes; nil if it only waits. The simulation skips checks before which
  /// nothing can change.
  let nextLook: Instant?
  private var end: (() -> Void)?

  /// - Parameter end: makes the thread continue; called once.
  init(in runLoop: UnsafeRawPointer, lookingAt nextLook: Instant?, end: @escaping () -> Void) {
    self.runLoop = runLoop
    self.nextLook = nextLook
    self.end = end
  }

  var isWoken: Bool { end == nil }

  func wake() {
    end?()
    end = nil
  }
}

/// The main thread while it waits in a run loop. It runs the jobs of the main lane, and other threads run the jobs of
/// the other lanes.
final class MainThreadWait: @unchecked Sendable {
  // Safe to share: only the holder of the baton touches the event. The gate passes on the baton.
  let gate = Gate()
  /// The event that another thread has handed over.
  var event: EventLoop.Event?

  func takeEvent() -> EventLoop.Event? {
    defer { event = nil }
    return event
  }
}

extension EventLoop {
  /// Waits on the calling thread, which holds the baton, in the middle of its job.
  ///
  /// - Parameters:
  ///   - runLoop: identifies the run loop, for `wake(_:)`.
  ///   - deadline: when to return at the latest; nil if only other events end the wait.
  ///   - nextLook: when the caller would check again for changes; nil if it only waits.
  func wait(
    in runLoop: UnsafeRawPointer, until deadline: Instant?, lookingAt nextLook: Instant? = nil
  ) {
    LaneContext.current.willBlock()
    if current.lane == 0 {
      waitRunningMainJobs(in: runLoop, until: deadline, lookingAt: nextLook)
    } else {
      let blocking = makeBlocking(for: "a run loop")
      let wait = RunLoopWait(in: runLoop, lookingAt: nextLook) { blocking.end() }
      runLoopWaits.append(wait)
      blocking.wait(atMost: deadline.map { now.duration(to: $0).wholeNanoseconds })
      runLoopWaits.removeAll { $0 === wait }
    }
  }

  /// Ends the waits in a run loop.
  func wake(_ runLoop: UnsafeRawPointer) {
    for wait in runLoopWaits where wait.runLoop == runLoop { wait.wake() }
  }

  private func waitRunningMainJobs(
    in runLoop: UnsafeRawPointer, until limit: Instant?, lookingAt nextLook: Instant?
  ) {
    let context = LaneContext.current
    // The wait ends with the next job of the main lane.
    let end = Job({}, in: context)
    let wait = RunLoopWait(in: runLoop, lookingAt: nextLook) { [unowned self] in
      enqueue(.job(end), for: .main)
    }
    runLoopWaits.append(wait)
    let timer = limit.map { limit in
      let timer = Timer(end, for: .main, of: self)
      add(timer, at: limit)
      return timer
    }
    releaseCurrentLane()
    let queue = tasks.leaveQueue()
    let event = nextOfMain()
    timer?.cancel()
    // The event may block the thread, and then nothing can end the wait.
    runLoopWaits.removeAll { $0 === wait }
    if let event { _ = carryOut(event, in: context) }
    tasks.enterQueue(queue)
    // The code that has waited continues on the main lane.
    current = Place(lane: 0)
    context.lane = .main
  }

  /// The next event of the main lane. Until then, other threads run the simulation.
  private func nextOfMain() -> Event? {
    let event = next()
    if isOfMain(event) { return event }
    let wait = MainThreadWait()
    mainThreadWait = wait
    pass(event)
    wait.gate.wait()
    noteCarrier()
    mainThreadWait = nil
    return wait.takeEvent()
  }

  /// Gives the baton away to the thread that must carry out the event.
  func pass(_ event: consuming Event) {
    if let mainThreadWait, isOfMain(event) {
      mainThreadWait.event = event
      return mainThreadWait.gate.open()
    }
    switch consume event {
    case .resume(let thread): thread.gate.open()
    case let event: EventLoopThread.start { self.carryOn(event) }
    }
  }

  /// Ends the first wait whose caller would check again before `deadline`, the time at which the next timer fires.
  ///
  /// XCTest checks ten times a second whether an expectation is fulfilled or its time has passed. It also sets a timer
  /// that fires a quarter of a second after that time. Nothing can change until shortly before the next timer, so
  /// earlier checks are skipped. Then hours take no time, and a test that waits forever has nothing left to do.
  ///
  /// - Returns: when the wait ended; nil if there is none.
  func endLook(before deadline: Instant) -> Instant? {
    let waits = runLoopWaits.filter { !$0.isWoken && $0.nextLook != nil }
    guard
      let first = waits.min(by: { $0.nextLook! < $1.nextLook! }), let nextLook = first.nextLook
    else { return nil }
    let instant = max(nextLook, deadline.advanced(by: .milliseconds(-250)))
    guard instant < deadline else { return nil }
    first.wake()
    return instant
  }

  /// Whether the next event is a job or the end of a turn of the main lane.
  private func isOfMain(_ event: Event) -> Bool {
    switch event {
    case .job, .task: current.lane == 0
    case .endOfTurn(let side): side == nil
    case .resume, .end: false
    }
  }
}
