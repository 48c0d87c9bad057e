import AsyncSimulation
import Testing

/// Which parts of a long text are omitted, and which are always shown.
@Suite struct ExcerptTests {
  @Test func `a text that fits is shown whole`() {
    #expect(Excerpt(of: 0, around: []).parts == [])
    #expect(Excerpt(of: 1, around: []).parts == [.lines(0..<1)])
    #expect(Excerpt(of: 40, around: [7]).parts == [.lines(0..<40)])
  }

  @Test func `a long text is shown at its ends and around the important lines`() {
    #expect(Excerpt(of: 41, around: []).parts == [.lines(0..<5), .gap(28), .lines(33..<41)])
    #expect(
      Excerpt(of: 1_000, around: [500, 100]).parts == [
        .lines(0..<5), .gap(93), .lines(98..<103), .gap(395), .lines(498..<503), .gap(489),
        .lines(992..<1_000),
      ])
  }

  @Test func `neighbouring excerpts join, and a gap is never a single line`() {
    #expect(
      Excerpt(of: 100, around: [8, 12]).parts == [.lines(0..<15), .gap(77), .lines(92..<100)])
  }

  @Test func `the most important line gets room first`() {
    let parts = Excerpt(of: 10_000, around: Array(stride(from: 5_000, to: 9_000, by: 10))).parts
    #expect(parts.contains(.lines(4_998..<5_003)))
    #expect(!parts.contains(.lines(8_988..<8_993)))
  }

  /// For any length and any places, each line is shown or counted exactly once, in order, and few lines are shown.
  @Test(arguments: 0...130)
  func `every line is shown or counted`(count: Int) {
    for step in 1...17 {
      let places = Array(stride(from: -3, to: count + 5, by: step)).reversed()
      let excerpt = Excerpt(of: count, around: Array(places))
      var next = 0
      var shown = 0
      for part in excerpt.parts {
        switch part {
        case .lines(let range):
          #expect(range.lowerBound == next && !range.isEmpty)
          next = range.upperBound
          shown += range.count
        case .gap(let gap):
          #expect(gap > 1, "\(count), \(step)")
          next += gap
        }
      }
      #expect(next == count, "\(count), \(step)")
      // Where a single line would be left out, it is shown. So there may be one more line between two stretches.
      #expect(shown <= Excerpt.limit * 3 / 2, "\(count), \(step)")
    }
  }
}
