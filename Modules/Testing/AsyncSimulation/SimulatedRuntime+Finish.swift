public import AsyncPatterns

extension SimulatedRuntime {
  /// Ends a simulation, and makes sure that nothing is left of it: the tear-down of a test.
  ///
  /// ```swift
  /// defer { #expect(throws: Never.self) { try runtime.finish() } }
  /// ```
  ///
  /// What is ready runs, and the run loops exit, so that what is to be done at the end of
  /// each turn is done a last time; the clock stands still. Then nothing may be left: no timer, no job
  /// that could not start, nobody who waits for a permit, no asynchronous code of a step or of
  /// ``task(_:)`` that has not returned, no action at the end of turns. Who stands parked is given up, as
  /// by ``abandon()``, so a test that fails takes no threads along.
  ///
  /// Only between runs. The simulation may go on afterwards, and be finished again.
  ///
  /// - Parameter events: what the trace was told, for the names of steps; asked for only if something is
  ///   left.
  /// - Throws: what is left.
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

/// What is left of a simulation that was to be over.
public struct Leftovers: Error, Sendable {
  /// Where the clock stood.
  public var time: Instant
  /// What is to happen later, by deadline; the first hundred.
  public var timers: [PendingTimer]
  /// Who waits, what could not start, what has not returned, and how many of each.
  public var report: SimulatedRuntime.Report
  var events: [TraceEvent] = []

  /// Something that happens at an instant unless it is called off.
  public struct PendingTimer: Hashable, Sendable {
    public var deadline: Instant
    /// On whose behalf; `.none` without a trace.
    public var span: Span
    /// Where it goes off: `main`, `pool`, or the label of a serial scheduler.
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

  private var heading: String { "At \(time.text) the simulation was to be over, but:" }

  private var lines: [String] {
    let standstill = Standstill(report, events: events)
    var lines: [String] = []
    if let next = timers.first {
      let by = standstill.path(of: next.span).map { " for “\($0)”" } ?? ""
      let place = ["main", "pool"].contains(next.place) ? next.place : "“\(next.place)”"
      lines.append(
        "\(count(report.pendingTimers, "timer is", "timers are")) pending, the next one on \(place)\(by) "
          + "at \(next.deadline.text)")
    }
    lines += report.waiters.map(\.description)
    if report.unstartedMainJobs > 0 {
      lines.append("\(count(report.unstartedMainJobs, "job waits", "jobs wait")) for main")
    }
    if report.unstartedPoolJobs > 0 {
      lines.append("\(count(report.unstartedPoolJobs, "job waits", "jobs wait")) for a worker")
    }
    for span in report.unfinishedAsynchronousBodies {
      let name = standstill.path(of: span).map { " of “\($0)”" } ?? ""
      lines.append("asynchronous code\(name) has not returned")
    }
    if report.endOfTurnActions > 0 {
      let actions = count(report.endOfTurnActions, "action", "actions")
      let place = report.endOfTurnActionsBeside == 0 ? " of main" : ""
      lines.append("\(actions) at the end of turns\(place) not called off")
    }
    if !report.waiters.isEmpty { lines += standstill.sentences }
    return lines
  }

  private func count(_ number: Int, _ one: String, _ several: String) -> String {
    "\(number) \(number == 1 ? one : several)"
  }
}

extension EventLoop {
  /// Has the state to itself, while nobody runs it.
  func betweenRuns<Result>(_ body: (EventLoop) -> Result) -> Result {
    precondition(
      inbox.beginRun(),
      "A simulation that runs was asked for what can be done between runs only; ask when the run has ended"
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
  /// What is to go off, by deadline.
  ///
  /// - Complexity: O(*n* log *n*).
  fileprivate func pending(limit: Int) -> [Leftovers.PendingTimer] {
    alarms.prefix(limit).map { deadline, alarm in
      switch alarm {
      case .timer(let timer):
        Leftovers.PendingTimer(
          deadline: deadline, span: timer.job?.span ?? .none, place: timer.target.text)
      case .occupation(let occupation):
        Leftovers.PendingTimer(deadline: deadline, span: occupation.span, place: "pool")
      case .parked(let parked):
        Leftovers.PendingTimer(
          deadline: deadline, span: parked.waiter.span,
          place: parked.waiter.lane == .main ? "main" : "pool")
      case .sleep(let sleep):
        Leftovers.PendingTimer(
          deadline: deadline, span: sleep.span, place: "pool")
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
