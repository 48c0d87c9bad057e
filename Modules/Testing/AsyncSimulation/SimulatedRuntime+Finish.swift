public import AsyncPatterns

extension SimulatedRuntime {
  /// Ends a simulation, and checks that nothing is left of it: the tear-down of a test.
  ///
  /// ```swift
  /// defer { #expect(throws: Never.self) { try runtime.finish() } }
  /// ```
  ///
  /// Ready jobs run, and each run loop takes a last turn, in which its actions for the end of a turn run. The clock
  /// does not advance. Then none of these may be left:
  ///
  /// - a timer
  /// - a job that could not start
  /// - a thread that waits for a permit
  /// - asynchronous code of a step or of ``task(name:_:)`` that has not returned
  /// - an action for the end of turns
  ///
  /// If something is left, blocked jobs are abandoned, as by ``abandon()``. So a failing test leaves no blocked threads
  /// behind.
  ///
  /// Call it only between runs. The simulation can continue afterwards, and can be finished again.
  ///
  /// - Parameter events: the events of the trace, for the names of steps. Evaluated only if something is left.
  /// - Throws: ``Leftovers`` if something is left.
  public func finish(events: @autoclosure () -> [TraceEvent] = []) throws(Leftovers) {
    loop.perform { $0.beginLastTurns() }
    run(until: now)
    var leftovers = loop.betweenRuns { $0.leftovers() }
    guard !leftovers.isEmpty else { return }
    leftovers.events = events()
    abandon()
    throw leftovers
  }
}

/// The error that lists what is left of a simulation that should have ended.
public struct Leftovers: Error, Sendable {
  /// The time of the clock.
  public var time: Instant
  /// The pending timers, ordered by deadline; only the first hundred.
  public var timers: [PendingTimer]
  /// The waiting threads, the jobs that could not start, the code that has not returned, and the number of each.
  public var report: SimulatedRuntime.Report
  var events: [TraceEvent] = []

  /// Something that happens at an instant unless it is cancelled.
  public struct PendingTimer: Hashable, Sendable {
    public var deadline: Instant
    /// The span that the timer belongs to; `.none` without a trace.
    public var span: Span
    /// Where the timer fires: `main`, `pool`, or the label of a serial scheduler or run loop.
    public var place: String
  }

  var isEmpty: Bool {
    report.pendingTimers == 0 && report.unstartedMainJobs == 0 && report.unstartedPoolJobs == 0
      && report.waiters.isEmpty && report.unfinishedAsynchronousBodies.isEmpty
      && report.endOfTurnActions == 0
  }
}

extension Leftovers: CustomStringConvertible {
  public var description: String {
    ([heading] + lines.map { "- \($0)" }).joined(separator: "\n")
  }

  private var heading: String { "At \(time) the simulation should have finished, but:" }

  private var lines: [String] {
    let stall = StallReport(report, events: events)
    var lines: [String] = []
    if let next = timers.first {
      let by = stall.path(of: next.span).map { " for “\($0)”" } ?? ""
      let place = ["main", "pool"].contains(next.place) ? next.place : "“\(next.place)”"
      lines.append(
        "\(count(report.pendingTimers, "timer is", "timers are")) pending, the next one on \(place)\(by) "
          + "at \(next.deadline)")
    }
    lines += report.waiters.map(\.description)
    if report.unstartedMainJobs > 0 {
      lines.append("\(count(report.unstartedMainJobs, "job waits", "jobs wait")) for main")
    }
    if report.unstartedPoolJobs > 0 {
      lines.append("\(count(report.unstartedPoolJobs, "job waits", "jobs wait")) for a worker")
    }
    for span in report.unfinishedAsynchronousBodies {
      let name = stall.path(of: span).map { " of “\($0)”" } ?? ""
      lines.append("asynchronous code\(name) has not returned")
    }
    if report.endOfTurnActions > 0 {
      let actions = count(report.endOfTurnActions, "action", "actions")
      let place = report.endOfTurnActionsBeside == 0 ? " of main" : ""
      lines.append("\(actions) at the end of turns\(place) not cancelled")
    }
    if !report.waiters.isEmpty { lines += stall.sentences }
    return lines
  }

  private func count(_ number: Int, _ one: String, _ several: String) -> String {
    "\(number) \(number == 1 ? one : several)"
  }
}

extension EventLoop {
  /// Calls `body` with exclusive access to the state. It traps if a run is in progress.
  func betweenRuns<Result>(_ body: (EventLoop) -> Result) -> Result {
    precondition(
      inbox.beginRun(),
      "This can be called only between runs, but the simulation is running; call it after the run"
    )
    defer { endRun() }
    _ = takeMail()
    return body(self)
  }

  fileprivate func leftovers() -> Leftovers {
    Leftovers(time: now, timers: timers.pending(limit: 100), report: summary())
  }
}

extension Timers {
  /// The pending timers, ordered by deadline.
  ///
  /// - Complexity: O(*n* log *n*).
  fileprivate func pending(limit: Int) -> [Leftovers.PendingTimer] {
    map(first: limit) { deadline, alarm in
      switch alarm {
      case .timer(let timer):
        Leftovers.PendingTimer(
          deadline: deadline, span: timer.job?.span ?? .none, place: timer.target.text)
      case .occupation(let occupation):
        Leftovers.PendingTimer(deadline: deadline, span: occupation.span, place: "pool")
      case .blocked(let thread):
        Leftovers.PendingTimer(
          deadline: deadline, span: thread.waiter.span,
          place: thread.waiter.lane == .main ? "main" : "pool")
      case .sleep(let sleep):
        Leftovers.PendingTimer(
          deadline: deadline, span: sleep.span, place: "pool")
      case .blocking(let blocking):
        Leftovers.PendingTimer(deadline: deadline, span: blocking.span, place: "pool")
      }
    }
  }
}

extension Target {
  fileprivate var text: String {
    switch self {
    case .main: "main"
    case .pool: "pool"
    case .strand(let strand): strand.label
    case .side(let side): side.label
    }
  }
}
