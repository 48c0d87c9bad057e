@testable import TimingTrace
@testable import TraceAnalysis
@testable import TraceBasics
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Reads any bytes as a file of runs, and shows the runs in every way.
enum RunsTarget {
  static let words =
    [
      "{\"run\":1,\"e\":\"", "run-started", "run-ended", "submitted", "listed", "awaited",
      "started",
      "suspended", "resumed", "finished", "cancelled", "blocked", "unblocked", "worked", "counter",
      "mark", "misuse", "dropped", "\"span\":", "\"lane\":", "\"t\":", "\"in\":", "\"on\":",
      "\"label\":", "\"kind\":", "\"cause\":{\"end\":", "\"after\":{\"permit\":", "\"since\":",
      "\"outcome\":\"success\"", "\"outcome\":\"failure\"", "\"outcome\":\"cancelled\"",
      "\"role\":\"",
      "\"awaits\":\"all\"", "\"queued\":", "\"reason\":", "\"value\":", "\"number\":",
      "\"detail\":",
      "wake-up", "timer", "parent", "itself", "permit", "nan", "inf", "9223372036854775807",
      "-9223372036854775808", "4294967295", "1e308", "virtual", "live", "unfinished",
    ] + TraceEvent.Role.allCases.map { "\($0)" }

  static func run(_ bytes: [UInt8]) -> Int32 {
    let saved: SavedRuns
    do throws(SavedRunsError) { saved = try SavedRuns(bytes: bytes) } catch {
      check(!error.description.isEmpty, "an error without text")
      return 0
    }
    show(saved)
    return 0
  }

  /// - Parameter isExporting: whether the runs are also written in all formats, which takes most of the time.
  static func show(_ saved: SavedRuns, isExporting: Bool = true) {
    for run in saved.runs.prefix(4) {
      _ = run.record.json
      _ = run.record.lints.map { "\($0.place): \($0.message)" }
      _ = Timeline(run.record).render(width: 60)
      let lanes = LaneTimeline(run)
      _ = lanes.json
      _ = lanes.render(width: 60, style: .ascii)
      _ = Analysis(of: run).json(run.record.steps, advice: run.advice)
    }
    guard isExporting else { return }
    for format in TraceFormat.allCases { _ = format.text(of: Array(saved.runs.prefix(2))) }
  }
}
