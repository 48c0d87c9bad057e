internal import Histogram

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
  /// rank). Many durations are counted in a high dynamic range histogram (Tene, http://hdrhistogram.org), and
  /// only those in the cell that a percentile falls into are put in order.
  ///
  /// - Parameter durations: in nanoseconds, in any order; what is below zero counts as zero.
  /// - Complexity: O(n) but for the cells of the percentiles.
  public init?(_ name: String, groups: Int = 1, _ durations: [Int64]) {
    guard !durations.isEmpty else { return nil }
    let values = durations.map { Swift.max($0, 0) }
    self.name = name
    self.groups = groups
    count = values.count
    min = values.min() ?? 0
    max = values.max() ?? 0
    total = values.reduce(0) { $0.addingClamped($1) }
    let percentiles = values.count <= 1024 ? Self.sorted(values) : Self.counted(values, upTo: max)
    (p50, p95, p99) = (percentiles[0], percentiles[1], percentiles[2])
    shape = Array(repeating: 0, count: Self.shapeCells)
    let width = Double(max) - Double(min)
    for value in values {
      let part = width > 0 ? (Double(value) - Double(min)) / width : 0
      shape[Swift.min(Int(part * Double(Self.shapeCells)), Self.shapeCells - 1)] += 1
    }
  }

  private static let percentiles = [50.0, 95, 99]

  /// The nearest rank, from 0.
  private static func rank(_ percentile: Double, of count: Int) -> Int {
    let rank = Int((percentile.nextDown * Double(count) / 100).rounded(.up))
    return Swift.min(Swift.max(rank, 1), count) - 1
  }

  private static func sorted(_ values: [Int64]) -> [Int64] {
    let values = values.sorted()
    return percentiles.map { values[rank($0, of: values.count)] }
  }

  private static func counted(_ values: [Int64], upTo max: Int64) -> [Int64] {
    var histogram = Histogram<UInt64>(highestTrackableValue: Swift.max(UInt64(max), 2))
    for value in values { histogram.record(UInt64(value)) }
    return percentiles.map { percentile in
      let cell = histogram.equivalentRangeForValue(histogram.valueAtPercentile(percentile))
      var below = 0
      var inside: [Int64] = []
      for value in values {
        if UInt64(value) < cell.lowerBound {
          below += 1
        } else if UInt64(value) <= cell.upperBound {
          inside.append(value)
        }
      }
      inside.sort()
      let rank = rank(percentile, of: values.count) - below
      return inside[Swift.min(Swift.max(rank, 0), inside.count - 1)]
    }
  }
}
