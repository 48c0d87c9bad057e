import AsyncPatternTesting
import Testing

@Test func `hedged keeps its laws`() async {
  let report = await PatternLaws(of: Hedged.self).report()
  #expect(report.isAsStated, "\(report)")
}
