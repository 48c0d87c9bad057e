/// How long steps that are repeated took: `page-1` … `page-200`, the starts of a step that is retried, or steps
/// of one label in several groups.
public struct Distribution: Sendable, Hashable {
  /// What they have in common: their path without the numbers of its labels, or, where they stand in several
  /// groups, their label alone.
  public var name: String
  /// In how many groups they stand, if `name` is a label alone; otherwise 1.
  public var groups: Int
  public var count: Int
  /// In nanoseconds, as are all that follow.
  public var min: Int64
  /// Half of them took no longer than this.
  public var p50: Int64
  public var p95: Int64
  public var p99: Int64
  public var max: Int64
  public var total: Int64
  /// How many fall into each of `shapeCells` equal stretches between `min` and `max`.
  public var shape: [Int]

  public static let shapeCells = 12

  /// What some durations come to; nil if there are none.
  ///
  /// Percentiles are of the durations themselves: the smallest that so many of them do not exceed (nearest
  /// rank).
  ///
  /// - Parameter durations: in nanoseconds, in any order; what is below zero counts as zero.
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

  /// The nearest rank, from 0.
  private static func rank(_ percent: Int, of count: Int) -> Int {
    (count * percent + 99) / 100 - 1
  }
}
