internal import TraceBasics

/// The steps of runs as comma-separated values, one line each. The names and the numbers are the same as in the JSON of
/// the steps. `run` counts the runs from 1. The format is RFC 4180, except that lines end with a newline. Text that a
/// spreadsheet would take for a formula starts with an apostrophe.
enum CSVTable {
  private static let columns = [
    "run", "name", "clock", "label", "path", "pattern", "submitted_ns", "started_ns", "finished_ns",
    "lane", "outcome", "error", "critical", "work_ns", "blocked_ns", "late_ns", "leaf",
  ]

  static func write(_ runs: [SavedRun], to output: inout TextOutput) {
    output.append(columns.joined(separator: ","))
    output.endPiece()
    for (index, run) in runs.enumerated() {
      for step in run.record.steps {
        output.append(Int64(index + 1))
        field(run.record.name, &output)
        field(run.record.clock.rawValue, &output)
        field(step.label, &output)
        field(step.path, &output)
        field(step.pattern, &output)
        field(step.submitted, &output)
        field(step.started, &output)
        field(step.finished, &output)
        field(step.lane ?? "", &output)
        field(step.outcome.rawValue, &output)
        field(step.error ?? "", &output)
        field(step.isCritical ? "true" : "false", &output)
        field(step.work, &output)
        field(step.blocked, &output)
        field(step.late, &output)
        field(step.isLeaf ? "true" : "false", &output)
        output.endPiece()
      }
    }
  }

  private static func field(_ text: String, _ output: inout TextOutput) {
    output.append(byte: UInt8(ascii: ","))
    let text = isFormula(text) ? "'" + text : text
    let mustBeQuoted = text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte < 0x20
    }
    guard mustBeQuoted else { return output.append(text) }
    output.append("\"" + text.replacing("\"", with: "\"\"") + "\"")
  }

  /// Whether a spreadsheet would take the text for a formula. A number with a sign is not a formula.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) else { return false }
    let rest = text.utf8.dropFirst()
    let isNumber = rest.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    return rest.isEmpty || !isNumber || !"+-".utf8.contains(first)
  }

  private static func field(_ number: Int64?, _ output: inout TextOutput) {
    output.append(byte: UInt8(ascii: ","))
    if let number { output.append(number) }
  }
}
