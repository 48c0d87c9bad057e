/// Numbers as a row of characters, one for each number. Larger numbers have higher characters.
package enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")
  private static let plain = Array(".:-=+*#@")

  /// The sign for a sparkline in a legend.
  package static func sign(_ style: Timeline.Style) -> String { style == .unicode ? "▄" : "+" }

  /// The characters for the numbers, from zero, which is blank, to the largest.
  package static func text(_ values: [Int], style: Timeline.Style) -> String {
    let glyphs = style == .unicode ? blocks : plain
    guard let largest = values.max(), largest > 0 else {
      return String(repeating: " ", count: values.count)
    }
    return String(
      values.map { value in
        guard value > 0 else { return " " }
        let part = Double(value) / Double(largest)
        return glyphs[min(max(Int((part * 8).rounded(.up)), 1), 8) - 1]
      })
  }

  /// The largest number of leaf steps in flight in each of `columns` equal parts of a run. A step that takes no time is
  /// never in flight.
  ///
  /// - Complexity: O(n log n) in the number of steps.
  static func concurrency(_ record: RunRecord, columns: Int) -> [Int] {
    let axis = TimeAxis(length: record.makespan, columns: columns)
    var result = Array(repeating: 0, count: columns)
    for (span, count) in ConcurrencyCurve(record.steps).stretches(until: record.makespan)
    where !span.isEmpty && count > 0 {
      for column in axis.cells(from: span.lowerBound, to: span.upperBound) {
        result[column] = max(result[column], count)
      }
    }
    return result
  }
}
