import PlaygroundLanguage
import Testing

@Suite struct CommandTests {
  @Test(arguments: [
    ("load", "load! []"),
    (
      "load A path/to/File.swift ./x ~/y ../z \"a b/c\" /s#1 # all",
      #"load! ["A", "path/to/File.swift", "./x", "~/y", "../z", "\"a b/c\"", "/s#1"]"#
    ),
    ("unload SerialQueue", #"unload! ["SerialQueue"]"#),
    ("reload", "reload! []"), ("reload a.swift\r\n", #"reload! ["a.swift"]"#),
    ("plugins", "plugins! ."), ("patterns", "patterns! ."), ("names", "names! ."),
    ("help", "help! ."), ("help serial.semaphore", "help! serial.semaphore"),
    ("help run", "help! run"), ("help critical path", "help! critical path"),
    ("help \"critical path\"", "help! \"critical path\""),
    ("run serial job", "run! (serial @job)"),
    ("run serial { a } &", "run! (serial {}[(a)]) &"), ("runs", "runs! ."),
    ("show all", "show! . all"), ("show 2 all; all = [a]", "show! 2 all|all := [(a)]"),
    ("show lanes", "show! . lanes"), ("show 2 lanes; lanes = [a]", "show! 2 lanes|lanes := [(a)]"),
    ("show", "show! ."), ("show 2", "show! 2"), ("show save a/b.png", "show! . save a/b.png"),
    ("show 2 save \"a b.png\"; save = [a]", "show! 2 save \"a b.png\"|save := [(a)]"),
    ("jobs", "jobs! ."),
    ("wait", "wait! []"), ("wait 1 2", "wait! [1, 2]"), ("cancel 3, 4", "cancel! [3, 4]"),
    ("source ./a.play", "source! ./a.play"), ("source \"a b.play\"", "source! \"a b.play\""),
    ("exit", "exit! ."), ("q; names", "q! .|names! ."), ("history # all", "history! ."),
    ("lessons\n", "lessons! ."), ("lesson 3", "lesson! 3"), ("?", "?! ."), ("?serial", "?! serial"),
    ("? critical path", "?! critical path"), ("serial.chain?", "?! serial.chain"),
    ("run?; names", "?! run|names! ."), ("!ls -l; echo \"a\nnames", "!! ls -l; echo \"a|names! ."),
    // These words stay ordinary names.
    ("q = [a]", "q := [(a)]"), ("lesson job", "(lesson @job)"), ("exit { a }", "(exit {}[(a)])"),
    ("serial { q: history; lesson: exit }", "(serial {}[q:(history), lesson:(exit)])"),
    ("quit", "quit! ."), ("replay \"f:0,1\"", "replay! \"f:0,1\""),
    ("set", "set! ."), ("set clock", "set! clock"), ("set clock virtual", "set! clock 'virtual"),
    ("set time-limit 10s", "set! time-limit 10000000000ns"),
    ("set color false", "set! color false"),
    ("set runs 3", "set! runs 3"), ("set seed -1", "set! seed -1"),
    ("compare job under serial", "compare! (job) under (serial)"),
    (
      "compare job under\n serial,\n bounded(2), timeout 5ms runs 3",
      "compare! (job) under (serial), (bounded (2)), (timeout 5000000ns) runs 3"
    ),
    ("compare [a: sleep 1ms; b] under all", "compare! [a:(sleep 1000000ns), (b)] under (all)"),
    ("compare runs 2, 3", "compare! [2, 3]"), ("compare runs 2, 3, 5", "compare! [2, 3, 5]"),
    ("trace save out.json", #"trace! save ["out.json"]"#),
    (
      "trace export --format chrome \"a b.json\"",
      #"trace! export ["--format", "chrome", "\"a b.json\""]"#
    ),
    ("trace import x; trace lint", #"trace! import ["x"]|trace! lint []"#),
    ("simulate a.jsonl", "simulate! a.jsonl"),
    (
      "simulate \"a b\" with fetch * 0.5, job/x * 2, workers = 8, clock = fast",
      "simulate! \"a b\" fetch*0.5 job/x*2.0 workers=8 clock='fast"
    ),
    ("explore job", "explore! (job)"),
    (
      "explore serial job runs 10 strategy pct depth 3 inject cancel",
      "explore! (serial @job) runs 10 strategy pct depth 3 inject cancel"
    ),
    (
      "explore serial { a } checking {\n expect outcome == success; expect order a, b\n} inject lateness runs 5",
      "explore! (serial {}[(a)]) runs 5 inject lateness {outcome == 'success} {order a, b}"
    ),
    ("names; runs;;plugins", "names! .|runs! .|plugins! ."),
    ("load A;load B", #"load! ["A"]|load! ["B"]"#),
  ])
  func `every command is parsed`(_ text: String, _ trees: String) {
    #expect(Outline.of(text).joined(separator: "|") == trees)
  }

  @Test(arguments: [
    ("makespan < 40ms", "makespan < 40000000ns"), ("work == 1s", "work == 1000000000ns"),
    ("blocked <= 0s", "blocked <= 0ns"), ("concurrency >= 2", "concurrency >= 2"),
    ("threads != 3", "threads != 3"), ("outcome == success", "outcome == 'success"),
    ("value == \"x y\"", "value == \"x y\""), ("value == none", "value == 'none"),
    ("value == [1, [\"a\", []], none]", "value == [1, [\"a\", []], 'none]"),
    ("value == []", "value == []"), ("value != -0.5", "value != -0.5r"),
    ("value == true", "value == true"),
    ("lints == 0", "lints == 0"), ("lints == blocked-thread", "lints == 'blocked-thread"),
    ("order a, b, job/c", "order a, b, job/c"), ("critical a, \"b c\"", "critical a, \"b c\""),
    ("count page == 4", "count page == 4"), ("count page", "count page"),
    ("started job/fetch < 5ms", "started job/fetch < 5000000ns"), ("started a", "started a"),
    ("finished \"a b\"/c/page-2 > 1s", "finished \"a b\"/c/page-2 > 1000000000ns"),
    ("ratio serial.semaphore < 1.5", "ratio <serial.semaphore> < 1.5r"),
    ("ratio bounded( 2 ) > 2", "ratio <bounded(2)> > 2"),
    ("verdict \"a b\" == faster", "verdict <a b> == 'faster"),
    ("verdict graph(width:2) != slower", "verdict <graph(width: 2)> != 'slower"),
    ("violations == 0", "violations == 0"), ("makespan<40ms", "makespan < 40000000ns"),
  ])
  func `every kind of expectation is parsed`(_ text: String, _ tree: String) {
    #expect(Outline.of("expect \(text)") == ["expect! \(tree)"])
  }

  @Test(arguments: [
    ("expect  makespan\t<   40ms  # soon", "makespan < 40ms"),
    ("expect order a,# first\n   b", "order a, b"),
    ("expect value == \"a  b\"; names", "value == \"a  b\""),
    ("expect value == [1,\n 2]", "value == [1, 2]"),
    ("explore a checking { expect   violations == 0 }", "violations == 0"),
  ])
  func `the text of an expectation has normal spacing`(_ text: String, _ wanted: String) {
    let (script, diagnostics) = Parser.parse(Source(name: "x", text: text))
    #expect(diagnostics.isEmpty)
    guard case .command(let command)? = script.statements.first?.kind else {
      Issue.record("not a command")
      return
    }
    switch command.kind {
    case .expect(let expectation): #expect(expectation.text == wanted)
    case .explore(let exploration): #expect(exploration.expectations.map(\.text) == [wanted])
    default: Issue.record("not an expectation")
    }
  }
}
