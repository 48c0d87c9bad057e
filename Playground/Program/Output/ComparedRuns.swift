import AsyncPatterns
import TimingTrace

/// What tells the runs of a comparison apart beside their makespans: what they cost, and what was found in
/// them.
struct ComparedRuns {
  /// Those of the run of each that lies nearest to its median.
  let costs: [Comparison.Cost]
  /// The smallest difference that counts, as a fraction; on the virtual clock every one does.
  let least: Double

  init(costs: [Comparison.Cost], _ comparison: Comparison) {
    self.costs = costs
    least = comparison.clock == .virtual ? 0 : comparison.threshold
  }

  /// A table of what differs, without the makespans; nil where nothing does.
  func text(width: Int?) -> String? {
    var columns: [(title: String, cells: [String])] = []
    for (title, measure) in Self.measures {
      let values = costs.map(measure)
      guard let low = values.min(), let high = values.max(), low < high,
        Double(high - low) > Double(high) * least
      else { continue }
      columns.append((title, values.map { Duration.nanoseconds($0).shortDescription }))
    }
    let findings = costs.map(Self.text)
    if Set(findings).count > 1 { columns.append(("findings", findings)) }
    guard !columns.isEmpty else { return nil }
    let table = TextTable(
      columns: [""] + columns.map(\.title),
      rows: costs.indices.map { row in [costs[row].name] + columns.map { $0.cells[row] } })
    return "in the run nearest to each median:\n" + table.text(width: width)
  }

  private static let measures: [(title: String, of: @Sendable (Comparison.Cost) -> Int64)] = [
    ("work", { $0.work }), ("blocked", { $0.blocked }), ("main held", { $0.mainHeld }),
  ]

  /// The rules, each with how often it found something.
  private static func text(_ cost: Comparison.Cost) -> String {
    let texts = cost.findings.map { $0.count == 1 ? $0.rule : "\($0.rule) (\($0.count))" }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }
}
