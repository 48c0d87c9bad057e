import AsyncPatterns
import TimingTrace

/// What tells the runs of a comparison apart beside their makespans: what they cost, and what was found in
/// them.
struct ComparedRuns {
  /// The name and the last run of each.
  let runs: [(name: String, record: RunRecord)]
  /// The smallest difference that counts, as a fraction; on the virtual clock every one does.
  let threshold: Double

  /// A table of what differs, without the makespans; nil where nothing does.
  func text(width: Int?) -> String? {
    let clocks = Set(runs.map(\.record.clock))
    let least = clocks == [.virtual] ? 0 : threshold
    var columns: [(title: String, cells: [String])] = []
    for (title, measure) in Self.measures {
      let values = runs.map { measure($0.record) }
      guard let low = values.min(), let high = values.max(), low < high,
        Double(high - low) > Double(high) * least
      else { continue }
      columns.append((title, values.map { Duration.nanoseconds($0).shortDescription }))
    }
    let lints = runs.map { Self.lints(of: $0.record) }
    if Set(lints).count > 1 { columns.append(("findings", lints)) }
    guard !columns.isEmpty else { return nil }
    let table = TextTable(
      columns: [""] + columns.map(\.title),
      rows: runs.indices.map { row in [runs[row].name] + columns.map { $0.cells[row] } })
    return "in the last run of each:\n" + table.text(width: width)
  }

  private static let measures: [(title: String, of: @Sendable (RunRecord) -> Int64)] = [
    ("work", { $0.work }), ("blocked", { $0.blocked }), ("main held", { $0.mainHeld }),
  ]

  /// The rules, each with how often it found something.
  private static func lints(of record: RunRecord) -> String {
    var counts: [String: Int] = [:]
    for lint in record.lints { counts[lint.rule, default: 0] += 1 }
    let texts = counts.sorted { $0.key < $1.key }.map { rule, count in
      count == 1 ? rule : "\(rule) (\(count))"
    }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }
}

extension RunRecord {
  /// For how long steps held the main lane, working or blocked.
  fileprivate var mainHeld: Int64 {
    steps.filter { $0.lane == "main" }.reduce(0) { $0 + $1.work + $1.blocked }
  }
}
