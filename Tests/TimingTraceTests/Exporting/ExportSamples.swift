import TimingTrace

/// Runs that contain an example of everything that exports must carry.
enum ExportSamples {
  /// A thread is blocked and woken, and one step resolves the whole pattern. Another step continues because of a step
  /// that started later. One step never starts, one never ends, and some labels are difficult for every format.
  static let awkward = {
    var script = EventScript()
    script.submit("root", "race", label: "say \"hello\"", at: 5)
    script.start("root", at: 5)
    for key in ["a", "b", "c", "hung"] { script.submit(key, in: "root", at: 5) }
    script.submit(
      "list", "serial", in: "root", label: "<b>&amp;</b> -> }; %% \\ 日本 #1, \"x\"", at: 5)
    script.start("list", at: 6)
    script.submit("inner", in: "list", group: "job", at: 6)
    script.start("a", at: 6)
    script.block("root", at: 6)
    script.lane = Lane(number: 9)
    script.start("b", at: 7)
    script.counter("depth", 2.5, of: "b", at: 7)
    script.resume("a", because: (.permit, "b"), at: 8)
    script.start("inner", at: 8)
    script.work("inner", for: 2, at: 10)
    script.finish("inner", .failure, error: "no\tway", at: 10)
    script.finish("list", .failure, error: "no\tway", at: 10)
    script.start("hung", at: 10)
    script.finish("a", at: 11)
    script.lane = Lane(number: 7)
    script.unblock("root", by: "a", at: 11)
    script.submit("skipped", in: "root", by: "a", at: 11)
    script.start("c", after: "a", "b", at: 11)
    script.finish("c", .cancelled, at: 11)
    script.finish("b", at: 12)
    script.misuse("completed-twice", "c", at: 12)
    script.finish("root", awaitsAll: false, at: 12)
    return script
  }()

  /// Many steps that overlap on one lane and let each other continue.
  static let wide = {
    var script = EventScript()
    script.submit("bounded", "bounded", at: 0)
    script.start("bounded", at: 0)
    let width = 300
    for index in 0..<(3 * width) { script.submit("s\(index)", in: "bounded", at: 0) }
    for wave in 0..<3 {
      for index in wave * width..<(wave + 1) * width {
        if wave > 0 {
          script.finish("s\(index - width)", at: Int64(10 * wave))
        }
        let reason = wave > 0 ? "s\(index - width)" : nil
        script.start("s\(index)", because: reason.map { (.permit, $0) }, at: Int64(10 * wave))
      }
    }
    for index in 2 * width..<3 * width { script.finish("s\(index)", at: 30) }
    script.finish("bounded", at: 30)
    return script
  }()

  static func run(_ name: String, _ script: EventScript) -> SavedRun {
    SavedRun(
      name: name, source: "serial { … }\n\"quoted\"", composition: "serial { a; b }",
      script: "serial { value 1 }", workers: 3, record: script.record(name: name),
      events: script.events)
  }

  static let runs = [
    run("awkward", awkward), run("wide", wide), run("serial", AnalysisTests.serial),
    run("nested", AnalysisTests.nested), run("overlapping", ChromeTraceTests.script),
    run("counters", CounterTests.sideBySide), run("woken", EdgeTests.woken),
    run("late", LaneEndTests.late), run("timed", LaneEndTests.timed),
    run("moved", LaneEndTests.moved),
    run("empty", EventScript()),
  ]
}
