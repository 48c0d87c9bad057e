import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Statistics of repeated steps.
@Suite struct DistributionTests {
  /// The smallest value that at least this percentage of the values do not exceed.
  private static func rank(_ percent: Int, of sorted: [Int64]) -> Int64 {
    sorted[max((sorted.count * percent + 99) / 100, 1) - 1]
  }

  @Test(arguments: [1, 2, 3, 99, 100, 101, 1024, 1025, 5000, 100_003])
  func `percentiles are exact`(_ count: Int) throws {
    var state: UInt64 = UInt64(count)
    let values = (0..<count).map { _ -> Int64 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // From zero to one hour, with more small values than large ones.
      return Int64(state >> 33) % (1 << Int64(1 + (state >> 20) % 42))
    }
    let sorted = values.sorted()
    let distribution = try #require(Distribution("x", values))
    #expect(distribution.count == count)
    #expect(distribution.min == sorted.first && distribution.max == sorted.last)
    #expect(distribution.p50 == Self.rank(50, of: sorted))
    #expect(distribution.p95 == Self.rank(95, of: sorted))
    #expect(distribution.p99 == Self.rank(99, of: sorted))
    #expect(distribution.total == values.reduce(0, +))
    #expect(distribution.shape.reduce(0, +) == count)
  }

  @Test func `the smallest and the largest possible durations cause no overflow`() throws {
    let values = [Int64](repeating: .max, count: 2000) + [.min, -1, 0]
    let distribution = try #require(Distribution("x", values))
    #expect(distribution.min == 0 && distribution.p50 == .max && distribution.max == .max)
    #expect(Distribution("x", []) == nil)
  }

  @Test func `steps that differ by a number, repeated tries, and one label in several groups`() {
    func step(
      _ label: String, below container: String? = nil, in parent: Int? = nil
    ) -> StepRecord {
      StepRecord(
        label: label, in: container, pattern: "sleep", submitted: 0, started: 0, finished: 1,
        parent: parent)
    }
    var steps = [
      step("a"), step("page-1", below: "a", in: 0), step("page-2", below: "a", in: 0),
      step("b"), step("page-1", below: "b/job", in: 3), step("page-2", below: "b/job", in: 3),
      step("try"), step("try"), step("alone"),
    ]
    steps[0].isLeaf = false
    steps[3].isLeaf = false
    let families = Repetitions(steps).families
    #expect(families.map(\.name) == ["page", "a/page", "b/job/page", "try"])
    #expect(families.map(\.groups) == [2, 1, 1, 1])
    #expect(families.map(\.steps) == [[1, 2, 4, 5], [1, 2], [4, 5], [6, 7]])
  }
}
