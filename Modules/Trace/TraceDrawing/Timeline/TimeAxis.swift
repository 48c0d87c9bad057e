/// A few round points in time across the width of a timeline.
struct TimeAxis {
  let length: Int64
  let columns: Int
  let ticks: [(time: Int64, column: Int, text: String)]
  /// The number of columns of a nanosecond.
  private let scale: Double

  init(length: Int64, columns: Int) {
    self.length = max(length, 1)
    self.columns = columns
    scale = Double(columns) / Double(self.length)
    // Most labels take four to six columns, and need space around them.
    let wanted = max(columns / 8, 1)
    let step = TimeAxis.roundStep(atLeast: Double(self.length) / Double(wanted))
    var ticks: [(time: Int64, column: Int, text: String)] = []
    var time: Int64 = 0
    while time <= self.length, step > 0 {
      let column = Int(Double(time) / Double(self.length) * Double(columns))
      let text = time == 0 ? "0" : time.durationText
      if column + text.count <= columns { ticks.append((time, column, text)) }
      let (next, overflow) = time.addingReportingOverflow(step)
      guard !overflow else { break }
      time = next
    }
    self.ticks = ticks
  }

  var text: String {
    var line = ""
    for tick in ticks where line.isEmpty || line.count < tick.column {
      line += String(repeating: " ", count: tick.column - line.count) + tick.text
    }
    return line
  }

  /// The cells from the one that contains `from` to the one in which `to` ends; at least one.
  func cells(from: Int64, to: Int64) -> Range<Int> {
    // Clamped before the conversion: a file may contain any time.
    let last = Double(columns)
    let first = min(Int(min(max(Double(from) * scale, 0), last)), columns - 1)
    let exact = min(max(Double(to) * scale, Double(first + 1)), last)
    let whole = Int(exact)
    return first..<(Double(whole) < exact ? whole + 1 : whole)
  }

  private static func roundStep(atLeast least: Double) -> Int64 {
    let second = 1e9
    let beyond: [Double] = [
      60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400,
    ].map { $0 * second }
    if least > 30 * second, let step = beyond.first(where: { $0 >= least }) { return Int64(step) }
    let unit = least > 30 * second ? 86400 * second : 1
    var power = unit
    while power < 1e19 {
      for factor in [1.0, 2, 5] where power * factor >= least {
        return power * factor < 9e18 ? Int64(power * factor) : .max
      }
      power *= 10
    }
    return .max
  }
}
