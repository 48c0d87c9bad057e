/// The durations of steps that are repeated: `page-1` … `page-200`, the starts of a retried step, or steps with one
/// label in several groups.
public struct Distribution: Sendable, Hashable {
  /// The common name of the steps: their path without the numbers of its labels. For steps in several groups, it is
  /// only their label.
  public var name: String
  /// The number of groups that contain the steps, if `name` is only a label; otherwise 1.
  public var groups: Int
  public var count: Int
  /// In nanoseconds, like all values down to `total`.
  public var min: Int64
  /// At least half of the durations are no longer than this.
  public var p50: Int64
  public var p95: Int64
  public var p99: Int64
  public var max: Int64
  public var total: Int64
  /// A histogram: the number of durations in each of `shapeCells` equal parts of the range from `min` to `max`.
  public var shape: [Int]

  public static let shapeCells = 12

  /// Summarizes durations. Returns nil if there are none.
  ///
  /// A percentile is one of the durations. For example, p95 is the smallest one that at least 95 % of the durations do
  /// not exceed (nearest rank).
  ///
  /// - Parameter durations: in nanoseconds, in any order. Negative values count as zero.
  /// - Complexity: O(n log n).
  public init?(_ name: String, groups: Int = 1, _ durations: [Int64]) {
    guard !durations.isEmpty else { return nil }
    let values = durations.map { Swift.max($0, 0) }.sorted()
    self.name = name
    self.groups = groups
    count = values.count
    min = values[0]
    max = values[count - 1]
    total = values.reduce(0) { $0.addingClamped($1) }
    p50 = values[Self.rank(50, of: count)]
    p95 = values[Self.rank(95, of: count)]
    p99 = values[Self.rank(99, of: count)]
    shape = Array(repeating: 0, count: Self.shapeCells)
    let width = Double(max) - Double(min)
    for value in values {
      let part = width > 0 ? (Double(value) - Double(min)) / width : 0
      shape[Swift.min(Int(part * Double(Self.shapeCells)), Self.shapeCells - 1)] += 1
    }
  }

  /// The position of a percentile among sorted durations (nearest rank), from 0.
  package static func rank(_ percent: Int, of count: Int) -> Int {
    (count * percent + 99) / 100 - 1
  }
}
