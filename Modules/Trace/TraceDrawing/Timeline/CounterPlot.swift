/// A plot below the rows of a timeline: one counter, or several counters of one kind drawn over each other.
struct CounterPlot {
  var label: String
  var lines: [CounterLine]
  var lowest: Double
  var highest: Double
  /// The number of text rows that it takes.
  var height: Int

  init(_ label: String, _ lines: [CounterLine], height: Int) {
    self.label = label
    self.lines = lines
    var lowest = Double.infinity
    var highest = -Double.infinity
    for line in lines {
      for point in line.points {
        lowest = min(lowest, point.value)
        highest = max(highest, point.value)
      }
    }
    self.lowest = lowest
    self.highest = highest
    // A constant counter is drawn flat.
    self.height = lowest == highest ? 1 : height
  }

  /// The notes on the right: the highest value at the top, the lowest at the bottom.
  var notes: [String] {
    guard height > 1 else { return [lowest.shortText] }
    return [highest.shortText] + Array(repeating: "", count: height - 2) + [lowest.shortText]
  }

  /// The range from the lowest to the highest value, on one line.
  var range: String {
    lowest == highest ? lowest.shortText : "\(lowest.shortText) … \(highest.shortText)"
  }
}

/// The plots of a record. To fit the available rows, they first become lower, and then several counters share a plot.
struct CounterPlots {
  private(set) var plots: [CounterPlot] = []
  /// The number of counters that no plot shows.
  private(set) var leftOut = 0
  var leftOutText: String? {
    leftOut > 0 ? "\(leftOut.grouped) more \(leftOut == 1 ? "counter" : "counters")" : nil
  }

  /// The heights to try, from the most readable to the smallest one in which a curve does not look like a line.
  private static let heights = [4, 3, 2]

  /// - Parameter room: the number of text rows for all plots together.
  init(_ record: RunRecord, room: Int) {
    let lines = CounterLine.lines(of: record.counters)
    guard !lines.isEmpty else { return }
    let single = lines.map { (label: $0.title, lines: [$0]) }
    for groups in [single, Self.folded(lines)] {
      for height in Self.heights {
        plots = groups.map { CounterPlot($0.label, $0.lines, height: height) }
        if plots.reduce(0, { $0 + $1.height }) <= room { return }
      }
    }
    var rows = 0
    let fitting = plots.prefix { plot in
      rows += plot.height
      return rows <= room
    }
    leftOut = plots[fitting.endIndex...].reduce(0) { $0 + $1.lines.count }
    plots = Array(fitting)
  }

  /// Combines counters with one name, or with names that differ only by a number, if there are more than two.
  private static func folded(_ lines: [CounterLine]) -> [(label: String, lines: [CounterLine])] {
    let stems = lines.map { Folding.stem(of: $0.name) }
    let families = Dictionary(grouping: lines.indices) { stems[$0] }.filter { $0.value.count > 2 }
    return lines.indices.compactMap { index in
      guard let members = families[stems[index]] else {
        return (label: lines[index].title, lines: [lines[index]])
      }
      guard members[0] == index else { return nil }
      return (label: "\(stems[index]) × \(members.count.grouped)", lines: members.map { lines[$0] })
    }
  }
}

extension Double {
  /// Four significant digits, and all digits before the point: `0.5`, `-12.34`, `123456`, `1.235e20`.
  fileprivate var shortText: String {
    guard self != 0 else { return "0" }
    let sign = self < 0 ? "-" : ""
    if magnitude >= 1000, magnitude < 1e7 { return sign + String(Int(magnitude.rounded())) }
    // The number is `digits` times ten to the power of `exponent`.
    var scaled = magnitude
    var exponent = 0
    while scaled >= 9999.5 { (scaled, exponent) = (scaled / 10, exponent + 1) }
    while scaled < 999.95 { (scaled, exponent) = (scaled * 10, exponent - 1) }
    var digits = Int(scaled.rounded())
    while digits.isMultiple(of: 10) { (digits, exponent) = (digits / 10, exponent + 1) }
    let text = String(digits)
    if magnitude >= 1e-4, magnitude < 1e7 {
      guard exponent < 0 else { return sign + text + String(repeating: "0", count: exponent) }
      let whole = String(repeating: "0", count: max(1 - exponent - text.count, 0)) + text
      return sign + whole.dropLast(-exponent) + "." + whole.suffix(-exponent)
    }
    let fraction = text.count > 1 ? "." + text.dropFirst() : ""
    return sign + text.prefix(1) + fraction + "e\(exponent + text.count - 1)"
  }
}
