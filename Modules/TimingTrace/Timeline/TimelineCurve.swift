internal import AsyncPatterns

/// A counter as a line of a timeline: how high each column is says what it was by then.
struct TimelineCurve {
  /// How many a timeline draws.
  static let limit = 8

  private let counter: CounterRecord
  private let low: Double
  private let high: Double

  init(_ counter: CounterRecord) {
    self.counter = counter
    let values = counter.samples.lazy.map(\.value)
    (low, high) = (values.min() ?? 0, values.max() ?? 0)
  }

  var label: String { counter.name }

  /// The lowest and the highest value.
  func note(_ style: Timeline.Style) -> String {
    let dots = style == .unicode ? "…" : "..."
    return low == high ? Self.text(low) : Self.text(low) + dots + Self.text(high)
  }

  /// A character for each column: blank before there was a value, then the last one in it or before.
  func line(_ axis: TimeAxis, style: Timeline.Style) -> String {
    let glyphs = Array(style == .unicode ? "▁▂▃▄▅▆▇█" : "0123456789")
    var cells = [Character](repeating: " ", count: axis.columns)
    var filled = 0
    var current: Character?
    for sample in counter.samples {
      let column = axis.cells(from: sample.time, to: sample.time).lowerBound
      // What was holds up to here.
      while filled < column {
        if let current { cells[filled] = current }
        filled += 1
      }
      current = glyphs[level(sample.value, of: glyphs.count)]
    }
    while filled < axis.columns {
      if let current { cells[filled] = current }
      filled += 1
    }
    return String(cells)
  }

  private func level(_ value: Double, of count: Int) -> Int {
    // Halved, since the difference of two large numbers may be none.
    let range = high / 2 - low / 2
    guard range > 0 else { return count / 2 }
    let share = (value / 2 - low / 2) / range
    return min(max(Int((share * Double(count - 1)).rounded()), 0), count - 1)
  }

  /// With at most three decimals.
  private static func text(_ number: Double) -> String {
    if let integer = Int(exactly: number) { return String(integer) }
    guard abs(number) < 1e12 else { return String(number) }
    let rounded = (number * 1000).rounded() / 1000
    return Int(exactly: rounded).map(String.init) ?? String(rounded)
  }
}
