/// Selects which lines of a long list to show: the first ones, the last ones, and those around important lines. It
/// counts the lines that are left out in between.
public struct Excerpt: Hashable {
  public enum Part: Hashable {
    case lines(Range<Int>)
    /// That many lines are left out.
    case gap(Int)
  }

  /// A list of at most this many lines is shown whole.
  public static let limit = 40
  private static let beginning = 5
  private static let end = 8
  /// How many lines are shown before and after an important line.
  private static let surroundings = 2

  public private(set) var parts: [Part] = []

  /// - Parameters:
  ///   - count: how many lines there are.
  ///   - places: the important lines, the most important first. As many of them are shown as fit.
  public init(of count: Int, around places: [Int]) {
    guard count > Self.limit else {
      if count > 0 { parts = [.lines(0..<count)] }
      return
    }
    var shown = Set(0..<Self.beginning).union((count - Self.end)..<count)
    for place in places where (0..<count).contains(place) {
      let around = max(place - Self.surroundings, 0)...min(place + Self.surroundings, count - 1)
      if shown.count + around.count > Self.limit { break }
      shown.formUnion(around)
    }
    var next = 0
    for index in shown.sorted() {
      let gap = index - next
      // A gap of one line would take as much room as the line itself.
      if gap > 1 { parts.append(.gap(gap)) }
      let start = gap == 1 ? next : index
      if case .lines(let range)? = parts.last, range.upperBound == start {
        parts[parts.count - 1] = .lines(range.lowerBound..<(index + 1))
      } else {
        parts.append(.lines(start..<(index + 1)))
      }
      next = index + 1
    }
  }
}

extension Excerpt {
  /// Selects the moments to show: where a passing schedule differs, where something was injected, and where the choice
  /// was not the first in line.
  public init(of moments: [Moment], sharedCount: Int?) {
    let divergence = sharedCount.map { [$0 - 1, $0] } ?? []
    self.init(
      of: moments.count,
      around: divergence + moments.indices.filter { moments[$0].isInjection }
        + moments.indices.filter { moments[$0].isDeviation })
  }
}
