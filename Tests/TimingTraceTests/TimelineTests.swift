import PatternTesting
import Testing
import TimingTrace

@Suite struct TimelineTests {
  @Test func `a timeline draws a row for each step`() {
    let text = Timeline(AnalysisTests.nested.record()).render(width: 60)
    #expect(
      text == """
        run · success · makespan 40ms · work 0ns · blocked 0ns
        concurrency 2 · threads 1
        critical path: a → fetch → store
                  0          10ms       20ms       30ms
                 │██████████████████████▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄│ 2
        * a      │███████████                                 │ 10ms
          b      │██████████████████████                      │ 20ms
          c      │░░░░░░░░░░░█████████████████████████████████│ 30ms
        *   fetch│  after a →█████████████████                │ 15ms
        *   store│           ░░ after fetch →█████████████████│ 15ms
        ░ wait  █ run  * critical path  ▄ concurrency

        """)
  }

  @Test func `a record without its last steps is drawn`() {
    var record = AnalysisTests.nested.record()
    record.steps.removeLast(2)
    let text = Timeline(record).render(width: 60)
    #expect(text.contains("critical path: a\n") && !text.contains("store"))
  }

  @Test func `a timeline is drawn without Unicode`() {
    let text = Timeline(AnalysisTests.serial.record()).render(width: 40, style: .ascii)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(
      text == """
        run, success, makespan 30ms, work 0ns
        blocked 0ns, concurrency 1, threads 1
        critical path: a -> b
            0         10ms      20ms
        * a|==========                    | 10ms
        * b|.........>====================| 20ms
        . wait  = run  * critical path

        """)
  }

  @Test func `it marks blocked threads`() {
    let script = EventScript("serial.semaphore: serial.semaphore blocked 0..10 { a: 0..10 }")
    let text = Timeline(script.record()).render(width: 60)
    #expect(text.contains("serial.semaphore│❶▒▒▒"))
    #expect(text.contains("▒ thread blocked"))
  }

  @Test func `it distinguishes steps cancelled before their start from others`() {
    let script = EventScript("graph: graph cancelled { a: 0..10 cancelled; b: }")
    let text = Timeline(script.record(outcome: .cancelled)).render(width: 60)
    #expect(text.contains("│ 10ms cancelled\n") && text.contains("│ cancelled\n"))
  }

  @Test(arguments: [1, 2, 5, 10, 17, 20, 33, 40, 60, 79, 80, 200], [true, false])
  func `a timeline with its plots is never wider than the window`(width: Int, isASCII: Bool) {
    for record in [
      AnalysisTests.nested.record(), AnalysisTests.serial.record(), Self.awkward,
      Self.pages(1000 * SearchLength.factor), CounterTests.fade.record(),
      CounterTests.sideBySide.record(), CounterPlotTests.awkward,
    ] {
      let text = Timeline(record).render(width: width, style: isASCII ? .ascii : .unicode)
      for line in text.split(separator: "\n") {
        let columns = line.unicodeScalars.reduce(0) {
          $0 + ($1.value >= 0x4E00 && $1.value < 0xA000 ? 2 : 1)
        }
        #expect(columns <= width, "\(line)")
      }
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
  }

  @Test func `ten thousand steps fit a screen`() {
    let text = Timeline(Self.pages(10_000)).render(width: 100, height: 20)
    let lines = text.split(separator: "\n")
    #expect(lines.count < 30)
    #expect(lines.contains { $0.contains("page × 10 000") && $0.contains("each 10ms") }, "\(text)")
  }

  /// Ends of a hundred steps of 10ms, and the note of the row into which they are folded.
  static let folded: [(ends: [(StepRecord.Outcome, Int)], note: String)] = [
    ([(.failure, 100)], "each 10ms, 100 failed"),
    ([(.success, 68), (.failure, 32)], "each 10ms, 32 failed"),
    ([(.success, 3), (.skipped, 97)], "each 10ms, 97 skipped"),
    ([(.cancelled, 40), (.waiting, 60)], "each 10ms, 40 cancelled, 60 waiting"),
    ([(.skipped, 100)], "100 skipped"),
    ([(.success, 98), (.unfinished, 2)], "each 10ms, 2 unfinished"),
  ]

  @Test(arguments: folded)
  func `a folded row counts the steps that did not succeed`(
    ends: [(StepRecord.Outcome, Int)], note: String
  ) {
    var record = Self.pages(100)
    let outcomes = ends.flatMap { Array(repeating: $0.0, count: $0.1) }
    for (position, outcome) in outcomes.enumerated() {
      record.steps[position].outcome = outcome
      guard [.skipped, .waiting, .unfinished].contains(outcome) else { continue }
      record.steps[position].finished = nil
      if outcome != .unfinished { record.steps[position].started = nil }
    }
    let text = Timeline(record).render(width: 120, height: 20)
    #expect(text.contains("page × 100") && text.contains("│ \(note)\n"), "\(text)")
  }

  /// The counts fit at the usual widths.
  @Test func `a folded row counts failures beside times that differ`() {
    var record = Self.pages(100)
    for position in 0..<32 {
      record.steps[position].outcome = .failure
      record.steps[position].finished? += 1_063_000
      if position < 2 { record.steps[position].timedOut = 1 }
    }
    let text = Timeline(record).render(width: 100, height: 20)
    #expect(text.contains("│ p50 10ms, 30 failed, 2 timed out\n"), "\(text)")
  }

  @Test func `an error is shown in full`() {
    func text(_ error: String) -> [Substring] {
      var record = AnalysisTests.serial.record(outcome: .failure)
      record.error = error
      return Timeline(record).render(width: 40).split(separator: "\n")
    }
    let lines = text("“fetch” had not completed after its start; give it more time")
    #expect(
      lines[2...3] == [
        "error: “fetch” had not completed after", "  its start; give it more time",
      ])
    // Long text must not push the picture off the screen either.
    let long = text(String(repeating: "what a program wrote ", count: 1000))
    #expect(long.firstIndex { $0.hasPrefix("critical") } == 8)
    #expect(long[7].hasSuffix("…"))
  }

  @Test func `rows without room are counted`() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for number in 0..<100 {
      // No two labels are alike, so that nothing can be folded.
      let label = "step" + String(repeating: "x", count: number)
      script.submit(label, in: "root", at: 0)
    }
    let text = Timeline(script.record(outcome: .unfinished, end: 5)).render(height: 10)
    #expect(text.contains("… 90 more steps"))
  }

  /// No two labels are alike, so that nothing can be folded. The last steps run one after another, the others in
  /// parallel.
  static let unlike = {
    var script = EventScript()
    script.submit("root", "graph", at: 0)
    script.start("root", at: 0)
    let labels = (0..<100).map { "s" + String(repeating: "x", count: $0) + "y" }
    for label in labels { script.submit(label, in: "root", at: 0) }
    for label in labels[..<90] {
      script.start(label, at: 0)
      script.finish(label, .failure, at: 0)
    }
    for (number, label) in labels[90...].enumerated() {
      let time = Int64(number * 10)
      script.start(label, because: number > 0 ? (.end, labels[89 + number]) : nil, at: time)
      script.finish(label, at: time + 10)
    }
    script.finish("root", at: 100)
    return script
  }()

  @Test(arguments: [(20, 0), (5, 5)])
  func `the critical path is kept if there is no room for all steps`(
    height: Int, left: Int
  ) {
    let text = Timeline(Self.unlike.record()).render(width: 400, height: height)
    let rows = text.split(separator: "\n").filter { $0.contains("│") && !$0.hasPrefix(" ") }
    #expect(rows.count == min(height, 10), "\(text)")
    let critical = left > 0 ? ", \(left) of them on the critical path" : ""
    #expect(text.contains("… \(100 - height) more steps\(critical)\n"), "\(text)")
  }

  @Test func `the cost of recording is shown`() {
    var record = AnalysisTests.serial.record()
    #expect(!Timeline(record).render().contains("recording"))
    record.overhead = 37.6
    #expect(record.recording == 37.6 * Double(record.events))
    #expect(Timeline(record).render().contains("recording 38ns an event"))
    record.overhead = .infinity
    #expect(Timeline(record).render().contains("recording"))
  }

  @Test func `colour is used only if requested`() {
    let timeline = Timeline(AnalysisTests.serial.record())
    #expect(!timeline.render().contains("\u{1B}"))
    #expect(timeline.render(color: true).contains("\u{1B}[32m"))
  }

  @Test func `a label cannot control the terminal`() {
    let text = Timeline(Self.awkward).render()
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  /// Labels that are wide, long or hostile.
  static let awkward = {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    let labels = ["漢字漢字漢字漢字漢字漢字漢字", String(repeating: "long", count: 100), "a\u{1B}[2Jb\nc"]
    for label in labels { script.submit(label, in: "root", at: 0) }
    for label in labels { script.start(label, at: 1) }
    for label in labels { script.finish(label, .failure, error: "no\nno", at: 70_000) }
    script.finish("root", .failure, at: 70_000)
    return script.record(name: "\u{1B}name 漢字", outcome: .failure)
  }()

  static func pages(_ count: Int) -> RunRecord {
    var script = EventScript()
    script.submit("root", "bounded", at: 0)
    script.start("root", at: 0)
    for number in 1...count { script.submit("page-\(number)", in: "root", at: 0) }
    for number in 1...count {
      let begin = Int64(number / 2 * 10)
      script.start("page-\(number)", at: begin)
      script.finish("page-\(number)", at: begin + 10)
    }
    script.finish("root", at: Int64(count * 5 + 10))
    return script.record()
  }
}
