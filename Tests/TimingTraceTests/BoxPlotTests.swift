import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

@Suite struct BoxPlotTests {
  /// The expected quartiles come from `numpy.percentile` of NumPy. The implementation uses the same default method.
  @Test(
    arguments: [
      ([1, 2, 3, 4], 1.75, 2.5, 3.25), ([1, 2, 3, 4, 5], 2, 3, 4), ([7], 7, 7, 7),
      ([1, 1, 2, 8, 9, 10], 1.25, 5, 8.75),
    ] as [([Int64], Double, Double, Double)])
  func `quartiles are interpolated`(values: [Int64], first: Double, median: Double, third: Double) {
    let box = Box(OrderedValues(values))
    #expect(box?.firstQuartile == first)
    #expect(box?.median == median)
    #expect(box?.thirdQuartile == third)
  }

  @Test func `a distant value is an outlier`() {
    let box = Box(OrderedValues([10, 11, 12, 13, 14, 100]))
    #expect(box?.outliers == [100])
    #expect(box?.low == 10)
    #expect(box?.high == 14)
    #expect(Box(OrderedValues([])) == nil)
  }

  private static let comparison = Comparison(
    [
      Sample("serial", [10, 11, 12, 13, 14, 15, 16, 17, 18].map { $0 * 1_000_000 }),
      Sample("promise", [20, 20, 21, 21, 22, 22, 23, 23, 30].map { $0 * 1_000_000 }),
    ], clock: .live)

  @Test func `rows share an axis`() {
    #expect(
      Self.comparison.boxPlot(width: 50) == """
                 10ms              20ms               30ms
        serial   ├───▒▒▒▒┃▒▒▒▒───┤
        promise                      ├─▒▒┃▒▒             ○
        ├─┤ all but outliers  ▒ middle half  ┃ median
        ○ outlier

        """)
    #expect(
      Self.comparison.boxPlot(width: 50, style: .ascii) == """
                 10ms              20ms               30ms
        serial   |---====#====---|
        promise                      |-==#==             o
        |-| all but outliers  = middle half  # median
        o outlier

        """)
  }

  @Test func `colours are used only if allowed`() {
    #expect(Self.comparison.boxPlot(color: true)?.contains("\u{1B}[31m") == true)
    #expect(Self.comparison.boxPlot()?.contains("\u{1B}") == false)
  }

  @Test func `exact values have no plot`() {
    let exact = Comparison([Sample("a", [1]), Sample("b", [2])], clock: .virtual)
    #expect(exact.boxPlot() == nil)
    #expect(Self.comparison.boxPlot(width: 12) == nil)
  }
}
