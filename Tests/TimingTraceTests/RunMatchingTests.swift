import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// How the runs of two files are matched with each other.
@Suite struct RunMatchingTests {
  private static func run(
    _ name: String, _ steps: [(String, Int64)], clock: ClockKind = .virtual
  ) -> SavedRun {
    let labels = steps.map { "\($0.0): sleep" }.joined(separator: "; ")
    let list = steps.map { "\($0.0): sleep \($0.1)ms" }.joined(separator: "; ")
    var record = StepComparisonTests.run(steps, name: name)
    record.clock = clock
    return SavedRun(
      name: name, source: name, composition: "serial { \(labels) }",
      script: "job = [ \(list) ]; serial job", record: record, events: [])
  }

  private static func file(_ runs: SavedRun...) -> SavedRuns {
    SavedRuns(machine: SavedRunsTests.machine, runs: runs)
  }

  private static func makespans(
    _ pairs: [(name: String, first: [SavedRun], second: [SavedRun])]
  ) -> [[[Int64]]] {
    pairs.map { [$0.first, $0.second].map { $0.map { $0.record.makespan / .ms(1) } } }
  }

  @Test func `runs of one name and two compositions are two samples`() {
    let file = Self.file(
      Self.run("serial", [("a", 1), ("b", 2)]), Self.run("serial", [("x", 5)]),
      Self.run("serial", [("a", 1), ("b", 2)]))
    #expect(file.samples.map(\.values) == [[.ms(3), .ms(3)], [.ms(5)]])
    #expect(
      file.samples.map(\.name) == [
        "job = [ a: sleep 1ms; b: sleep 2ms ]; serial job", "job = [ x: sleep 5ms ]; serial job",
      ])
  }

  @Test func `equal compositions match in any order`() {
    let (ab, x) = (Self.run("serial", [("a", 1), ("b", 2)]), Self.run("serial", [("x", 5)]))
    let pairs = Self.file(ab, x).matched(with: Self.file(x, ab, ab))
    #expect(Self.makespans(pairs) == [[[3], [3, 3]], [[5], [5]]])
  }

  @Test func `an edited run matches its earlier version`() {
    let first = Self.file(
      Self.run("serial", [("x", 5)]), Self.run("serial", [("a", 1), ("b", 2)]))
    let second = Self.file(
      Self.run("serial", [("a", 1), ("b", 9)]), Self.run("serial", [("x", 5), ("y", 6)]))
    // One run matches by its labels alone, the other by some of its labels.
    #expect(Self.makespans(first.matched(with: second)) == [[[5], [11]], [[3], [10]]])
  }

  @Test func `runs with the same name match even without common steps`() {
    let pairs = Self.file(Self.run("serial job", [("a", 1)]))
      .matched(with: Self.file(Self.run("serial job", [("b", 2)])))
    #expect(pairs.map(\.name) == ["serial job"])
    #expect(Self.makespans(pairs) == [[[1], [2]]])
  }

  @Test func `a pair with different names shows both`() {
    let pairs = Self.file(Self.run("one", [("a", 1)]), Self.run("two", [("b", 2)]))
      .matched(with: Self.file(Self.run("three", [("b", 3)])))
    #expect(pairs.map(\.name) == ["one", "two → three"])
    #expect(Self.makespans(pairs) == [[[1], []], [[2], [3]]])
  }

  @Test func `a sample has one clock`() {
    let runs = [ClockKind.live, .virtual].map { Self.run("serial", [("a", 1)], clock: $0) }
    let file = SavedRuns(machine: SavedRunsTests.machine, runs: runs)
    #expect(Self.makespans(file.matched(with: file)) == [[[1], [1]], [[1], [1]]])
  }

  @Test func `many runs of one name are matched in order`() {
    func file(_ extra: Int64) -> SavedRuns {
      SavedRuns(
        machine: SavedRunsTests.machine,
        runs: (1...200).map { Self.run("serial", [("s\($0)-\(extra)", $0 + extra)]) })
    }
    let pairs = file(0).matched(with: file(1000))
    #expect(pairs.count == 200)
    #expect(
      pairs.allSatisfy { $0.first[0].record.makespan + .ms(1000) == $0.second[0].record.makespan })
  }
}
