import Testing
import TimingTrace
import WhatIf

/// Runs that cannot be simulated, and the reasons.
@Suite struct RecordingTests {
  @Test(
    arguments: [
      (nil, "the file has no script of “x”, so the run cannot be repeated"),
      (
        "serail { value 1 }",
        "“x” cannot be composed again: there is no pattern, step or name “serail”"
      ),
      ("serial {", "“x” cannot be composed again: this “{” is never closed"),
      ("a = [ value 1 ]", "the script of “x” runs nothing"), ("", "the script of “x” runs nothing"),
      (
        "serial { live.together { mixed } }",
        "“x” cannot be simulated: “live.together” runs on the live clock only"
      ),
    ] as [(String?, String)])
  func `a recording that cannot be repeated is refused`(_ script: String?, _ message: String) {
    var run = ChangeTests.live("", [])
    run.script = script
    let error = #expect(throws: RecordingError.self) {
      try Recording(run, vocabulary: Trial.vocabulary())
    }
    #expect(error?.message == message)
  }

  @Test func `scales match the names and paths of steps`() throws {
    let run = try Trial.recorded(
      "job = [ a: sleep 1ms ]; serial { x: serial job; page: 2 * value 1 }")
    let recording = try Recording(run, vocabulary: Trial.vocabulary())
    for name in ["x", "a", "job", "x/job/a", "x/a", "page", "page-2"] {
      #expect(
        recording.contains(Scale(name.split(separator: "/").map(String.init), by: 2)), "\(name)")
      if !name.hasPrefix("x/a") { #expect(recording.names.contains(name), "\(name)") }
    }
    for name in ["serial", "pag", "page-3", "a/x", "x/x", "2"] {
      #expect(
        !recording.contains(Scale(name.split(separator: "/").map(String.init), by: 2)), "\(name)")
    }
  }

  @Test func `the median represents a sample`() throws {
    func run(_ name: String, _ makespan: Int64, _ outcome: RunRecord.Outcome = .success) -> SavedRun
    {
      var run = ChangeTests.live("", [])
      run.name = name
      run.record.makespan = makespan
      run.record.outcome = outcome
      return run
    }
    let medians = Recording.medians(of: [
      run("b", 9), run("a", 5), run("b", 1), run("b", 3), run("b", 2, .failure), run("a", 4),
      run("c", 7, .failure),
    ])
    #expect(
      medians.map { "\($0.run.name) \($0.run.record.makespan) of \($0.count)" } == [
        "b 3 of 4", "a 4 of 2", "c 7 of 1",
      ])
  }
}
