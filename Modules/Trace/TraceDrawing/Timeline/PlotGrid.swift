/// The curve of a counter as characters: braille characters with two by four dots each, or ASCII.
///
/// It is a step function: a counter keeps its value until the next one is recorded. The last value holds to the end,
/// since no change was recorded. A stroke connects each value to the next. If several values share a column of dots,
/// the stroke connects the lowest to the highest.
struct PlotGrid {
  /// The characters, from the top row to the bottom row.
  let rows: [String]

  /// - Complexity: O(n) in the number of points and the size of the picture.
  init(_ plot: CounterPlot, length: Int64, columns: Int, style: Timeline.Style) {
    let cell: (width: Int, height: Int) = style == .unicode ? (2, 4) : (1, 3)
    let (width, height) = (columns * cell.width, plot.height * cell.height)
    var dots = Array(repeating: false, count: width * height)
    for line in plot.lines {
      let levels = PlotGrid.levels(of: line, plot, length: length, width: width, height: height)
      for (x, range) in levels.enumerated() {
        guard let range else { continue }
        for level in range { dots[(height - 1 - level) * width + x] = true }
      }
    }
    rows = (0..<plot.height).map { row in
      var text = String.UnicodeScalarView()
      for column in 0..<columns {
        var set: [Bool] = []
        for y in 0..<cell.height {
          let first = (row * cell.height + y) * width + column * cell.width
          set += dots[first..<(first + cell.width)]
        }
        text.append(style == .unicode ? PlotGrid.braille(set) : PlotGrid.plain(set))
      }
      return String(text)
    }
  }

  /// For each column of dots, the levels between which the counter moved there. Nil before its first value.
  private static func levels(
    of line: CounterLine, _ plot: CounterPlot, length: Int64, width: Int, height: Int
  ) -> [ClosedRange<Int>?] {
    var result: [ClosedRange<Int>?] = Array(repeating: nil, count: width)
    let scale = Double(width) / Double(max(length, 1))
    /// Computed from halves, since the difference of two finite numbers may be infinite.
    let span = plot.highest / 2 - plot.lowest / 2
    var held: (column: Int, level: Int)?
    for point in line.points {
      // Clamped before the conversion: a file may contain any time.
      let column = Int(min(max(Double(point.time) * scale, 0), Double(width - 1)))
      let part = span > 0 ? (point.value / 2 - plot.lowest / 2) / span : 0.5
      let level = Int((part * Double(height - 1)).rounded(.toNearestOrAwayFromZero))
      if let held, held.column < column {
        for empty in (held.column + 1)..<column { result[empty] = held.level...held.level }
      }
      let from = held?.level ?? level
      let stroke = min(from, level)...max(from, level)
      if let drawn = result[column] {
        let (low, high) = (drawn.lowerBound, drawn.upperBound)
        result[column] = min(low, stroke.lowerBound)...max(high, stroke.upperBound)
      } else {
        result[column] = stroke
      }
      held = (column, level)
    }
    if let held, held.column + 1 < width {
      for empty in (held.column + 1)..<width { result[empty] = held.level...held.level }
    }
    return result
  }

  /// The bits of the dots, left and right, from the top. In Unicode's own order, the two lowest dots come last.
  private static let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  private static func braille(_ set: [Bool]) -> Unicode.Scalar {
    var pattern: UInt32 = 0
    for (bit, isSet) in zip(bits, set) where isSet { pattern |= bit }
    return pattern == 0 ? " " : Unicode.Scalar(0x2800 + pattern) ?? " "
  }

  private static func plain(_ set: [Bool]) -> Unicode.Scalar {
    switch (set[0], set[1], set[2]) {
    case (false, false, false): " "
    case (true, false, false): "'"
    case (false, true, false): "-"
    case (false, false, true): "."
    default: ":"
    }
  }
}
