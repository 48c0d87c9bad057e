/// Which lines of something long are shown: the first ones, the last ones, and those around what
/// matters; what is left out in between is counted.
public struct Excerpt: Hashable {
  public enum Part: Hashable {
    case lines(Range<Int>)
    /// So many are left out.
    case gap(Int)
  }

  /// As many lines are shown whole.
  public static let limit = 40
  private static let beginning = 5
  private static let end = 8
  /// How many lines before and behind what matters are shown.
  private static let surroundings = 2

  public private(set) var parts: [Part] = []

  /// - Parameters:
  ///   - count: how many lines there are.
  ///   - places: what matters, the most important first; as many of them are shown as find room.
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
      // One line that is left out would take as much room as the line that says so.
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
  /// What to show of what happened: where a passing schedule parts from it, what was put in, and what was
  /// not the first in line.
  public init(of moments: [Moment], sharedCount: Int?) {
    let divergence = sharedCount.map { [$0 - 1, $0] } ?? []
    self.init(
      of: moments.count,
      around: divergence + moments.indices.filter { moments[$0].isInjection }
        + moments.indices.filter { moments[$0].isDeviation })
  }
}
