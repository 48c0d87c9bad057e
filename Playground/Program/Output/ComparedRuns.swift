import AsyncPatterns
import TimingTrace

/// How the runs of a comparison differ apart from their makespans: their costs, and the findings in them.
struct ComparedRuns {
  /// The costs of one run of each sample: the run whose makespan is nearest to the median.
  let costs: [Comparison.Cost]
  /// The smallest difference that counts, as a fraction. On the virtual clock every difference counts.
  let least: Double

  init(costs: [Comparison.Cost], _ comparison: Comparison) {
    self.costs = costs
    least = comparison.clock == .virtual ? 0 : comparison.threshold
  }

  /// A table of the differences, without the makespans. Nil if there are none.
  func text(width: Int?) -> String? {
    var columns: [(title: String, cells: [String])] = []
    for (title, measure) in Self.measures {
      let values = costs.map(measure)
      guard let low = values.min(), let high = values.max(), low < high,
        Double(high - low) > Double(high) * least
      else { continue }
      columns.append((title, values.map(\.durationText)))
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

  /// The rules that found something, each with the number of its findings.
  private static func text(_ cost: Comparison.Cost) -> String {
    let texts = cost.findings.map { $0.count == 1 ? $0.rule : "\($0.rule) (\($0.count))" }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }
}
