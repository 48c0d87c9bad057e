import AsyncPatterns
import TimingTrace
import TraceBasics

/// The result of a simulation: how far the model is from the recording, and how the changes affect the makespan and the
/// critical path.
struct SimulationReport {
  let simulation: Simulation
  /// The simulated run without changes.
  let measured: RunRecord
  /// The simulated run with the changes. The same as `measured` if there are none.
  let result: RunRecord

  private var recorded: RunRecord { simulation.recording.record }

  /// The makespan with the changes divided by the one without. 1 if the makespan without them is zero.
  private var ratio: Double {
    measured.makespan > 0 ? Double(result.makespan) / Double(measured.makespan) : 1
  }

  // MARK: - For people

  func text(width: Int?) -> String {
    var rows = [
      [
        "  recorded", recorded.makespan.durationText,
        "\(recorded.clock.rawValue) clock"
          + (simulation.recording.workers.map { ", \($0.of("worker"))" } ?? ""),
      ],
      ["  simulated", measured.makespan.durationText, distance],
    ]
    if simulation.changed != nil {
      rows.append(
        [
          "  changed", result.makespan.durationText,
          "\(Self.rounded(ratio, to: 3)) × simulated: "
            + simulation.changes.joined(separator: ", "),
        ])
    }
    var lines = [
      simulation.recording.name, TextTable(columns: ["", "", ""], rows: rows).text(width: width),
    ]
    if simulation.changed == nil {
      lines.append("  critical path: \(Self.criticalPath(of: result))")
    } else {
      lines.append("  critical path before: \(Self.criticalPath(of: measured))")
      lines.append("  critical path after: \(Self.criticalPath(of: result))")
    }
    lines += simulation.notes.map { "  " + $0 }
    return lines.map { Prose.wrap($0, to: width, hanging: 2) }.joined(separator: "\n")
  }

  /// How far the simulation is from the recording.
  private var distance: String {
    guard recorded.makespan > 0 else { return "" }
    let percent = 100 * (Double(measured.makespan) / Double(recorded.makespan) - 1)
    if measured.makespan == recorded.makespan { return "as recorded" }
    let amount = abs(percent) < 0.05 ? "less than 0.1" : Self.rounded(abs(percent), to: 1)
    return "\(amount)% \(percent < 0 ? "shorter" : "longer") than recorded"
  }

  private static func criticalPath(of run: RunRecord) -> String {
    let path = run.critical
    if path.isEmpty { return "none" }
    let shown = path.prefix(12)
    let names = CriticalNames(run, of: shown.map(\.step))
    let first = shown.map { "\(names[$0.step]) \($0.time.durationText)" }.joined(separator: " → ")
    return path.count > 12 ? "\(first) … and \(path.count - 12) more" : first
  }

  private static func rounded(_ number: Double, to decimals: Int) -> String {
    let power = Double([1, 10, 100, 1000][decimals])
    let text = "\((number * power).rounded() / power)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  // MARK: - For programs

  /// The result as a JSON line.
  var json: String {
    let applied = simulation.changed ?? simulation.measured
    return JSONWriter.record("simulate") { writer in
      writer.field("name", simulation.recording.name)
      // The clock of the recorded run.
      writer.field("clock", recorded.clock.rawValue)
      writer.field("workers", applied.workers)
      writer.field("recorded_ns", recorded.makespan)
      writer.field("measured_ns", measured.makespan)
      writer.field("makespan_ns", result.makespan)
      writer.field("ratio", ratio)
      writer.field("critical_path", result.criticalPath)
      writer.field("critical_path_before", measured.criticalPath)
      writer.field("changes", simulation.changes)
      writer.field("assumptions", applied.ledger.assumptions)
    }
  }
}
