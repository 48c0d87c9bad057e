import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

@Suite struct ComparisonTests {
  /// The expected values come from `scipy.stats.mannwhitneyu(first, second)` of SciPy 1.17.1.
  @Test(
    arguments: [
      ([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], 0, 0.0021645021645021645),
      (
        [1.1, 3.3, 5.5, 7.7, 9.9, 12], [2.2, 4.4, 6.6, 8.8, 10, 11, 13], 16, 0.5337995337995338
      ),
      ([19, 22, 16, 29, 24], [20, 11, 17, 12], 17, 0.1111111111111111),
      (
        [1, 2, 2, 3, 3, 3, 4, 5, 5, 6], [2, 3, 4, 4, 5, 6, 6, 7, 8, 8], 23.5, 0.047069540401444114
      ),
      ([5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5], 18, 1),
      (
        [3.1, 4.7, 2.8, 9.4, 1.2, 6.6, 7.3, 8.1], (1...30).map { Double($0) * 1.375 + 0.015625 },
        27,
        0.000362305415735956
      ),
      ((10..<40).map(Double.init), (10..<40).map { Double($0) + 4.5 }, 325, 0.06567125768912659),
    ] as [([Double], [Double], Double, Double)])
  func `the rank test agrees with SciPy`(first: [Double], second: [Double], u: Double, p: Double) {
    let test = MannWhitney(first, second)
    #expect(test.u == u)
    #expect(abs(test.p - p) < 1e-12, "\(test.p)")
  }

  /// The expected rank is the largest k with `scipy.stats.binom.cdf(k - 1, n, 0.5) <= 0.025`.
  @Test(arguments: [(5, 0), (6, 1), (9, 2), (10, 2), (20, 6), (30, 10), (100, 40), (1000, 469)])
  func `the interval of the median is binomial`(count: Int, rank: Int) {
    #expect(OrderedValues.cut(count) == rank)
  }

  @Test func `the Holm correction works in steps`() {
    // 0.01 · 4, 0.02 · 3, 0.03 · 2; the value for 0.04 is at least the one before it.
    let adjusted = holmAdjusted([0.03, 0.01, 0.04, 0.02])
    #expect(zip(adjusted, [0.06, 0.04, 0.06, 0.06]).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  /// There are 924 ways to divide twelve values into six and six. In the three rows, 1, 2 and 4 of these ways are at
  /// least as far apart as the samples, in the same direction. As many are as far apart in the other direction.
  @Test func `the correction counts every row with a verdict`() {
    let comparison = Comparison(
      [
        Sample("a", [70, 80, 90, 100, 110, 120]), Sample("b", [10, 20, 30, 40, 50, 60]),
        Sample("c", [10, 20, 30, 40, 50, 75]), Sample("d", [10, 20, 30, 40, 50, 85]),
      ], clock: .live)
    func isClose(_ values: [Double?], _ ways: [Double]) -> Bool {
      zip(values, ways).allSatisfy { abs(($0 ?? 0) - $1 / 924) < 1e-12 }
    }
    let rows = comparison.rows.dropFirst()
    #expect(isClose(rows.map(\.uncorrectedP), [2, 4, 8]))
    // Multiplied by three, two and one; no value is less than the one before it.
    #expect(isClose(rows.map(\.p), [6, 8, 8]))
  }

  @Test(arguments: [
    (1.0, Comparison.Verdict.same), (1.02, .same), (1.3, .slower), (0.7, .faster),
    (1.05, .inconclusive),
  ])
  func `the verdict follows the ratio`(factor: Double, verdict: Comparison.Verdict) {
    let comparison = Comparison(
      [Sample("a", Self.noisy(30)), Sample("b", Self.noisy(30, factor))], clock: .live)
    #expect(comparison.rows.map(\.verdict) == [.baseline, verdict])
    #expect((comparison.rows[1].note != nil) == (verdict == .inconclusive))
  }

  @Test func `the threshold decides which difference matters`() {
    let samples = [Sample("a", Self.noisy(30)), Sample("b", Self.noisy(30, 1.3))]
    #expect(Comparison(samples, clock: .live, threshold: 0.5).rows[1].verdict == .same)
  }

  @Test(arguments: [0, 1, 5])
  func `too few runs have no verdict`(runs: Int) {
    let comparison = Comparison(
      [Sample("a", Self.noisy(30)), Sample("b", Self.noisy(runs, 10))], clock: .live)
    #expect(comparison.rows[1].verdict == .inconclusive)
    #expect(comparison.table().contains("runs"))
    #expect(comparison.rows[1].note != nil)
  }

  @Test func `fewer than six runs have no interval`() {
    let few = Comparison(
      [Sample("a", Self.noisy(5)), Sample("b", Self.noisy(6))], clock: .live)
    #expect(few.rows[0].interval == nil && few.rows[1].interval != nil)
    #expect(few.json.contains(#""ci_low_ns":null,"ci_high_ns":null"#))
  }

  @Test func `a long name is shortened before figures are left out`() {
    let name = String(repeating: "long", count: 20)
    let table = Comparison([Sample(name, [30_000_000])], clock: .virtual).table(width: 60)
    #expect(table.contains("30ms") && table.contains("1.000") && table.contains("baseline"))
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 60 })
  }

  @Test func `the same measurements yield the same numbers`() {
    let samples = [Sample("a", Self.noisy(20)), Sample("b", Self.noisy(25, 1.1))]
    #expect(Comparison(samples, clock: .live).json == Comparison(samples, clock: .live).json)
  }

  @Test(
    arguments: [
      ([30], [30, 30, 30], Comparison.Verdict.same), ([30], [31], .slower), ([30], [29], .faster),
      ([0], [0], .same), ([0], [1], .slower),
    ] as [([Int64], [Int64], Comparison.Verdict)])
  func `on the virtual clock any difference counts`(
    first: [Int64], second: [Int64], verdict: Comparison.Verdict
  ) {
    let comparison = Comparison([Sample("a", first), Sample("b", second)], clock: .virtual)
    #expect(comparison.rows[1].verdict == verdict)
    #expect(comparison.rows[1].p == nil)
  }

  @Test func `the record is as documented`() throws {
    let comparison = Comparison([Sample("a", [30]), Sample("b", [45])], clock: .virtual)
    #expect(
      comparison.json.hasPrefix(
        #"{"record":"compare","metric":"makespan","baseline":"a","rows":["#
          + #"{"name":"a","runs":1,"median_ns":30,"ci_low_ns":30,"ci_high_ns":30,"ratio":1,"#
          + #""ratio_ci_low":1,"ratio_ci_high":1,"p":null,"verdict":"baseline"},"#
          + #"{"name":"b","runs":1,"median_ns":45,"ci_low_ns":45,"ci_high_ns":45,"ratio":1.5,"#
          + #""ratio_ci_low":1.5,"ratio_ci_high":1.5,"p":null,"verdict":"slower"}]"#))
    _ = try JSONSerialization.jsonObject(with: Data(comparison.json.utf8))
  }

  @Test(arguments: [8, 20, 40, 60, 80, 120])
  func `the table fits the window`(width: Int) {
    let comparison = Comparison(
      [
        Sample("serial", Self.noisy(30)), Sample("serial.semaphore", Self.noisy(30, 1.2)),
        Sample("few", Self.noisy(3)),
      ], clock: .live)
    for line in comparison.table(width: width).split(separator: "\n") {
      #expect(line.count <= width, "\(line)")
    }
  }

  @Test func `the table has aligned columns`() {
    let comparison = Comparison(
      [Sample("serial", [30_000_000]), Sample("promise", [45_000_000])], clock: .virtual)
    #expect(
      comparison.table() == """
                 runs  median  ratio  verdict
        serial      1    30ms  1.000  baseline
        promise     1    45ms  1.500  slower

        """)
  }

  /// Times around ten milliseconds that differ by a few per cent and are always the same.
  static func noisy(_ count: Int, _ factor: Double = 1) -> [Int64] {
    var generator = SplitMix(seed: 7)
    return (0..<count).map { _ in
      Int64(10_000_000 * factor * Double.random(in: 0.97...1.03, using: &generator))
    }
  }
}
