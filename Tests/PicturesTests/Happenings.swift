import AsyncPatterns
import TimingTrace

/// Runs with delays and timeouts.
enum Happenings {
  private static let (root, step) = (Span(id: 1), Span(id: 2))

  private static func at(_ milliseconds: Int) -> Instant {
    Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  private static func run(_ name: String, _ steps: [TraceEvent]) -> SavedRun {
    let events =
      [
        .submitted(root, in: .none, label: name, kind: name, at: at(0)),
        .started(root, at: at(0)),
      ] + steps
    let record = RunRecord(events: events, name: name, clock: .virtual, outcome: .success)
    return SavedRun(name: name, source: "", composition: "", record: record, events: events)
  }

  /// `retry(2, delay: 15ms) { a: … }`, whose attempts take 5 ms each.
  static let retry = run(
    "retry",
    [
      .submitted(step, in: root, label: "a", kind: "fail", at: at(0)),
      .started(step, at: at(0)),
      .finished(step, .failure, at: at(5)),
      .resumed(root, byTimerSet: at(5), because: Cause(.end, step), at: at(20)),
      .submitted(Span(id: 3), in: root, label: "a", kind: "fail", at: at(20)),
      .started(Span(id: 3), because: Cause(.timer, root), at: at(20)),
      .finished(Span(id: 3), .success, at: at(25)),
      .finished(root, .success, because: Cause(.end, Span(id: 3)), at: at(25)),
    ])

  /// `timeout(20ms) { slow: sleep 100ms }`.
  static let timeout = run(
    "timeout",
    [
      .submitted(step, in: root, label: "slow", kind: "sleep", at: at(0)),
      .started(step, at: at(0)),
      .resumed(root, byTimerSet: at(0), because: .itself, at: at(20)),
      .finished(root, .failure, because: Cause(.timer, root), hasTimedOut: true, at: at(20)),
      .cancelled(step, because: Cause(.cancellation, root), at: at(20)),
      .finished(
        step, .cancelled, because: Cause(.cancellation, root),
        cancelled: (by: Cause(.cancellation, root), at: at(20)), at: at(20)),
    ])
}
