import AsyncPatterns
import AsyncSimulation
import TimingTrace

/// The events under a schedule, one on each line: time, lane, actor, what happened, and which other actors could have
/// been next.
///
/// ```
///    1ms  pool-1  a  finishes                (or b)
/// *  1ms  pool-2  b  finishes, c starts
/// ```
struct ScheduleText {
  let moments: [Moment]
  /// The number of events, from the first, that a passing schedule has in common with this one.
  var sharedCount: Int?
  /// The actor that comes next under the passing schedule. Nil if that schedule injects nothing there.
  var next: String?

  private struct Line {
    var mark: String
    var time: String
    var lane: String
    var actor: String
    var what: String
    var alternatives: String
  }

  /// The lines, without a newline at their ends. No line is wider than the window, unless names are too long.
  func lines(_ style: TerminalStyle) -> [String] {
    let excerpt = Excerpt(of: moments, sharedCount: sharedCount)
    let shown = excerpt.parts.flatMap { part -> [Int] in
      if case .lines(let range) = part { Array(range) } else { [] }
    }
    let lines = Dictionary(
      uniqueKeysWithValues: shown.map { ($0, line(moments[$0], width: style.textWidth)) })
    let columns = Columns(Array(lines.values), width: style.textWidth)
    var result: [String] = []
    if sharedCount == 0, let divergence { result += say(divergence, style) }
    for part in excerpt.parts {
      switch part {
      case .gap(let count): result.append("   … \(count) more …")
      case .lines(let range):
        for index in range {
          guard let line = lines[index] else { continue }
          let text = columns.text(line)
          result += moments[index].isDeviation ? text.map { style.marked($0) } : text
          if index + 1 == sharedCount, let divergence { result += say(divergence, style) }
        }
      }
    }
    return result
  }

  /// What the marks mean, if there are any.
  var legend: String? {
    moments.contains(where: \.isDeviation) ? "* not the first in line" : nil
  }

  private func say(_ divergence: String, _ style: TerminalStyle) -> [String] {
    style.wrapped("   — \(divergence) —")
      .split(separator: "\n").map { style.strong(String($0)) }
  }

  /// How a passing schedule differs from this one at the first difference.
  private var divergence: String? {
    guard let sharedCount, sharedCount < moments.count else { return nil }
    let instead =
      if let next {
        (sharedCount == 0 ? "starts with " : "continues with ")
          + (next == moments[sharedCount].actor ? "another event of " : "") + Self.name(next)
      } else {
        "injects nothing"
      }
    return sharedCount == 0
      ? "a passing schedule \(instead)"
      : "a passing schedule is the same up to here, then \(instead)"
  }

  /// The name without control characters of a terminal, which a label can contain.
  private static func name(_ name: String, _ width: Int = .max) -> String {
    TerminalText.printable(name, style: .unicode).shortened(to: width)
  }

  private func line(_ moment: Moment, width: Int?) -> Line {
    let widest = width.map { max($0 / 4, 12) } ?? .max
    let happenings = moment.happenings.map { happening in
      happening.hasPrefix(moment.actor + " ")
        ? String(happening.dropFirst(moment.actor.count + 1)) : happening
    }
    let others = moment.otherAlternatives.map { Self.name($0, widest) }
    return Line(
      mark: moment.isDeviation ? "*" : " ",
      time: moment.time.description,
      lane: moment.lane == .main ? "main" : "pool-\(moment.lane.number)",
      actor: Self.name(moment.actor, widest),
      what: happenings.isEmpty
        ? (moment.isInjection ? "" : "continues")
        : TerminalText.printable(happenings.joined(separator: ", "), style: .unicode),
      alternatives: others.isEmpty ? "" : "(or \(others.shortList))")
  }

  /// The widths of the columns.
  private struct Columns {
    /// A wider column would push the next one out of view.
    private static let widestWhat = 60

    private var time = 0
    private var lane = 0
    private var actor = 0
    /// Nil if the last two columns, what happened and the alternatives, share one column.
    private var what: Int?
    private let width: Int?

    init(_ lines: [Line], width: Int?) {
      self.width = width
      time = lines.map(\.time.count).max() ?? 0
      lane = lines.map(\.lane.count).max() ?? 0
      actor = lines.map(\.actor.count).max() ?? 0
      let what = lines.map(\.what.count).max() ?? 0
      let others = lines.map(\.alternatives.count).max() ?? 0
      self.what = what <= Self.widestWhat && what + others + 2 <= room ? what : nil
    }

    private var margin: Int { 2 + time + 2 + lane + 2 + actor + 2 }
    private var room: Int { width.map { $0 - margin } ?? .max }

    func text(_ line: Line) -> [String] {
      let beginning =
        [
          line.mark + " " + line.time.padded(left: time), line.lane.padded(to: lane),
          line.actor.padded(to: actor),
        ].joined(separator: "  ") + "  "
      if let what {
        return [(beginning + line.what.padded(to: what) + "  " + line.alternatives).trimmed]
      }
      let rest = [line.what, line.alternatives].filter { !$0.isEmpty }.joined(separator: " ")
      // One more line is better than a column that is too narrow for words.
      let isNarrow = room < 20
      let parts = Prose.wrap(rest, to: isNarrow ? width.map { $0 - 6 } : room)
        .split(separator: "\n")
      let indent = String(repeating: " ", count: isNarrow ? 6 : margin)
      let under = parts.dropFirst(isNarrow ? 0 : 1).map { indent + $0 }
      return [isNarrow ? beginning.trimmed : beginning + (parts.first ?? "")] + under
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 0))
  }

  fileprivate func padded(left width: Int) -> String {
    String(repeating: " ", count: max(width - count, 0)) + self
  }

  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The string without its middle if it is too long: names often differ at either end.
  fileprivate func shortened(to width: Int) -> String {
    count > width ? prefix((width - 1) / 2) + "…" + suffix(width / 2) : self
  }
}

extension TerminalStyle {
  fileprivate func marked(_ text: String) -> String { colored(text, 33) }
  fileprivate func strong(_ text: String) -> String { colored(text, 1) }

  private func colored(_ text: String, _ code: Int) -> String {
    color ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
