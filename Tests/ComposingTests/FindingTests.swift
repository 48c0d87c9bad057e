import AsyncPatterns
import Testing

/// Each finding, with its place and its fix.
@Suite struct FindingTests {
  @Test(arguments: [
    Case(
      "serail { a: value 1 }",
      "1:1 there is no pattern, step or name “serail” → did you mean “serial”?"),
    Case(
      "serial { a: slep 1ms }",
      "1:13 there is no pattern, step or name “slep” → did you mean “sleep”?"),
    Case("lod", "1:1 there is no pattern, step or name “lod” → did you mean “load”?"),
    Case("  lesons", "1:3 there is no pattern, step or name “lesons” → did you mean “lessons”?"),
    Case(
      "serial jbo",
      "1:8 there is no pattern, step or name “jbo” → “patterns” lists patterns and steps"),
    Case(
      "job = [ a: value 1 ]\nserial jbo",
      "2:8 there is no pattern, step or name “jbo” → did you mean “job”?"),
    Case(
      "[ a: value 1 ]",
      "1:1 a list needs a pattern to run it → write for instance: serial [ a: value 1 ]"),
    Case(
      "serial { a: [ value 1 ] }",
      "1:13 a list needs a pattern to run it → write for instance: serial [ value 1 ]"),
    Case(
      "job = [ a: value 1 ]\njob",
      "2:1 “job” is a list and needs a pattern to run it → write for instance: serial job"),
    Case(
      "job = [ a: value 1 ]\nserial { x: job }",
      "2:10 “job” is a list of steps, so it takes no label "
        + "→ put a pattern between them: x: serial job"),
    Case(
      "job = [ a: value 1 ]\nserial { 3 * job }",
      "2:10 “job” is a list of steps, so it takes no count "
        + "→ put a pattern between them: 3 * serial job"),
    Case(
      "page = sleep 1ms\nserial { page { value 1 } }",
      "2:10 “page” is a bound name, so it takes no arguments and no steps "
        + "→ write “page” alone"),
    Case(
      "page = sleep 1ms\npage 2ms",
      "2:1 “page” is a bound name, so it takes no arguments and no steps "
        + "→ write “page” alone"),
    Case(
      "job = [ job ]",
      "1:9 there is no pattern, step or name “job” → “patterns” lists patterns and steps"),
    Case(
      "a = serial { a }",
      "1:14 there is no pattern, step or name “a” → “patterns” lists patterns and steps"),
    Case(
      "serial { a never }",
      "1:10 there is no pattern, step or name “a” → if it is a label, a “:” is missing: a: never"),
    Case("sleep 1ms { value 1 }", "1:1 “sleep” is a step and takes no steps of its own"),
    Case(
      "lesson x",
      "1:1 the command “lesson” takes a lesson’s number, not “x” → “lessons” lists them; for instance: lesson 1"
    ),
    Case("history 3", "1:1 the command “history” takes no argument, not “3” → write: history"),
    Case(
      "save { a }", "1:1 the command “save” takes a file, not “{ a }” → write: save a.play"),
    Case(
      "edit { a }", "1:1 the command “edit” takes at most a name, not “{ a }” → write: edit fetch"),
    Case(
      "serial { history }",
      "1:10 there is no pattern, step or name “history” → “patterns” lists patterns and steps"),
    Case(
      "print hello",
      "1:1 there is no pattern, step or name “print” → “patterns” lists patterns and steps"),
    Case(
      "fail hello",
      "1:1 “fail” is a step and takes no steps of its own → write a string in quotes: fail \"hello\""
    ),
    Case(
      "compare [ a: value 1 ] under sleep",
      "1:30 “sleep” is a step, not a pattern → “patterns” lists the patterns"),
    Case(
      "p = serial { value 1 }\ncompare [ a: value 1 ] under p",
      "2:30 “p” is a name, not a pattern → “patterns” lists the patterns"),
    Case(
      "compare [ a: value 1 ] under grap",
      "1:30 there is no pattern, step or name “grap” → did you mean “graph”?"),
  ])
  func `an unknown name is found, with the nearest known one`(_ example: Case) {
    expect(example)
  }

  @Test(arguments: [
    Case(
      "serial { a: value 1\n a: value 2 }",
      "2:2 there are two steps called “a” here → labels must be unique among the steps of a list"),
    Case(
      "serial { p: 2 * value 1; p: value 2 }",
      "1:26 there are two steps called “p” here → labels must be unique among the steps of a list"),
    Case(
      "serial { p: value 1; p: 2 * value 2 }",
      "1:22 there are two steps called “p” here → labels must be unique among the steps of a list"),
    Case(
      "serial { p: 3 * value 1; p: 3 * value 2 }",
      "1:26 there are two steps called “p” here → labels must be unique among the steps of a list"),
    Case(
      "l = [ a: value 1; b: value 2 ]\nserial { a: value 1; l }",
      "2:22 there are two steps called “a” here, one of them from “l” "
        + "→ put a pattern between them: serial l"),
    Case(
      "l = [ a: value 1; b: value 2 ]\nserial { l; b: value 1 }",
      "2:13 there are two steps called “b” here → labels must be unique among the steps of a list"),
    Case(
      "l = [ a: value 1; b: value 2 ]\nserial { l; l }",
      "2:13 there are two steps called “a” here, one of them from “l” "
        + "→ put a pattern between them: serial l"),
  ])
  func `repeated labels in one list are found`(_ example: Case) {
    expect(example)
  }

  @Test(arguments: [
    Case(
      "graph { fetch: value 1; b: value 1 after fecth }",
      "1:42 “after fecth” names no step of this list → did you mean “fetch”?"),
    Case("graph { a: value 1 after zzz }", "1:26 “after zzz” names no step of this list"),
    Case(
      "graph { a: value 1 after a }",
      "1:26 “after a” names the step itself, and a step cannot come after itself"),
    Case(
      "serial { a: value 1 after a }",
      "1:27 “after a” names the step itself, and a step cannot come after itself"),
    Case(
      "graph { value 1 after value }",
      "1:23 “after value” names the step itself, and a step cannot come after itself"),
    Case(
      "graph { p: 3 * value 1 after p }",
      "1:30 “after p” names the step itself, and a step cannot come after itself"),
    Case(
      "graph { p: 3 * value 1 after p-2 }",
      "1:30 “after p-2” names the step itself, and a step cannot come after itself"),
    Case(
      "l = [ a: value 1 ]\ngraph { l after a }",
      "2:17 “after a” names the step itself, and a step cannot come after itself"),
    Case(
      "l = [ a: value 1 ]\ngraph { l after l }",
      "2:17 “after l” names the step itself, and a step cannot come after itself"),
    // A label that the list does not have may be in the list around it. If neither has it, the line of the list is
    // shown.
    Case(
      "l = [ a: value 1 after bb ]\nserial { l; b: value 2 }",
      "1:24 “after bb” names no step of this list → did you mean “b”?"),
    Case("l = [ a: value 1 after zz ]\nserial l", "1:24 “after zz” names no step of this list"),
    Case(
      "graph { a: value 1 after c; b: value 1 after a; c: value 1 after b }",
      "1:9 “a” waits for itself"),
    Case(
      "l = [ a: value 1 after b; b: value 1 after a ]\ngraph { x: value 1; l }",
      "1:7 “a” waits for itself"),
    Case(
      "serial { a: value 1 after b; b: value 1 }",
      "1:10 “serial” runs its steps in the order written, so “a” can only come after an earlier "
        + "step, and “b” is not one; write “b” first"),
    Case(
      "bounded(2) { a: value 1; b: value 1 after a }",
      "1:26 “bounded” does not order its steps, so it rejects “after a”; leave it out"),
    Case(
      "graph { a: 4000 * value 1; b: 4000 * value 1 after a }",
      "1:52 “after” connects more than 10 000 000 pairs of steps here "
        + "→ put one step between them: gate: value 0 after a"),
  ])
  func `an after clause that cannot be fulfilled is found`(_ example: Case) {
    expect(example)
  }

  @Test(arguments: [
    Case("pair { value 1 }", "1:1 “pair” takes 2 steps, not 1"),
    Case("pair { }", "1:1 “pair” takes 2 steps, not 0"),
    Case("pair", "1:1 “pair” takes 2 steps, not 0 → write the steps after it: pair { … }"),
    Case("some { }", "1:1 “some” takes at least 1 step, not 0"),
    Case("animate 1ms { value 1 }", "1:1 “animate” takes no steps, not 1"),
    Case("serial { x: pair { } }", "1:13 “pair” takes 2 steps, not 0"),
    Case("compare [] under some", "1:18 “some” takes at least 1 step, not 0"),
    Case(
      "gcd.group { value 1 }",
      "1:1 “gcd.group” runs on the live clock only, but this run is on the virtual clock → use "
        + "“sleep” or “work” instead, with the time that it takes, or write: set clock live"),
    Case(
      #"serial { sh "ls" }"#,
      "1:10 “sh” runs on the live clock only, but this run is on the virtual clock → use "
        + "“sleep” or “work” instead, with the time that it takes, or write: set clock live"),
  ])
  func `steps and clocks that a pattern refuses are found`(_ example: Case) {
    expect(example)
  }

  @Test func `a pattern that cannot run on the session's clock is found`() {
    #expect(Composition("gcd.group { sh \"ls\" }", clock: .live).findings == [])
    #expect(
      Composition("simulated { value 1 }", clock: .live).findings == [
        "1:1 “simulated” runs on the virtual clock only, but this run is on the live clock "
          + "→ write: set clock virtual"
      ])
  }

  @Test(arguments: [
    Case(
      "graph { a: value 1 with triger: any-failed }",
      "1:25 “graph” has no option “triger”; its options are “trigger”, “priority”, “on” "
        + "→ did you mean “trigger”?"),
    Case(
      "graph { a: value 1 with priority: 1, triger: any-failed }",
      "1:38 “graph” has no option “triger”; its options are “trigger”, “priority”, “on” "
        + "→ did you mean “trigger”?"),
    Case(
      "graph { a: value 1 with trigger: any-faild }",
      "1:25 “trigger” takes all-succeeded or any-failed, not \"any-faild\" "
        + "→ did you mean “any-failed”?"),
    Case(
      "graph { a: value 1 with priority: 10 }",
      "1:25 “priority” takes a whole number from 0 to 9, not 10"),
    Case("graph { a: value 1 with on: main, on: pool }", "1:35 “on” is given twice"),
    Case(
      "serial { a: value 1 with on: mian }",
      "1:26 “on” takes main or pool, not \"mian\" → did you mean “main”?"),
    Case(
      "serial { a: value 1 with priority: 1 }",
      "1:26 “serial” has no option “priority”; its only option is “on”"),
    // The finding is reported once, however many copies there are.
    Case(
      "serial { a: 9 * value 1 with to: 1 }",
      "1:30 “serial” has no option “to”; its only option is “on”"),
    Case("some { a: value 1 }", "1:8 “some” needs “weight”, a whole number"),
    Case(
      "some { a: value 1 with share: 2 }", "1:8 “some” needs “weight”, a whole number"),
    Case(
      "l = [ a: value 1 with on: main ]\nserial { l with on: pool }",
      "2:17 “on” is given twice"),
    Case(
      "l = [ a: value 1 with prio: 1 ]\ngraph l",
      "1:23 “graph” has no option “prio”; its options are “trigger”, “priority”, “on” "
        + "→ did you mean “priority”?"),
  ])
  func `options that a pattern does not accept are found`(_ example: Case) {
    expect(example)
  }

  @Test func `every mistake in a script is found in one go`() {
    let composition = Composition(
      """
      graph(widht: 2) {
        a: slep 1ms
        b: sleep 2 after a, zz
        a: value 1
        c: value 1 after b with prio: 1
        d: bounded(0) { value }
      }
      serial nothing
      """)
    #expect(
      composition.findings == [
        "1:7 “graph” has no parameter “widht”; its only parameter is “width” → did you mean “width”?",
        "2:6 there is no pattern, step or name “slep” → did you mean “sleep”?",
        "3:12 “sleep” takes a duration, not 2 → a duration has a unit: 2ms or 2s",
        "6:19 “value” needs a value → “help value” explains its arguments",
        "4:3 there are two steps called “a” here → labels must be unique among the steps of a list",
        "5:27 “graph” has no option “prio”; its options are “trigger”, “priority”, “on” "
          + "→ did you mean “priority”?",
        "3:23 “after zz” names no step of this list",
        "8:8 there is no pattern, step or name “nothing” → “patterns” lists patterns and steps",
      ])
    #expect(composition.composed.count == 0)
  }

  @Test func `a mistake in a named list is reported once`() {
    let composition = Composition(
      """
      job = [ a: slep 1ms ]
      page = serial { wrk 1ms }
      serial job
      serial { job; page; x: value 1 after a, job }
      compare job under serial, graph
      job
      page
      """)
    #expect(
      composition.findings == [
        "1:12 there is no pattern, step or name “slep” → did you mean “sleep”?",
        "2:17 there is no pattern, step or name “wrk” → did you mean “work”?",
      ])
    #expect(composition.composed.count == 0)
  }

  @Test func `the fix is to load plugins if no pattern is loaded`() {
    let composition = Composition("serial { a: value 1 }", patterns: [])
    #expect(
      composition.findings == [
        "1:1 there is no pattern, step or name “serial” → no pattern is loaded; “load” loads all plugins"
      ])
  }

  @Test func `at most a hundred mistakes are reported`() {
    let lines = (0..<1000).map { "x\($0): zzzzzz\n" }.joined()
    #expect(Composition("serial {\n\(lines)}").findings.count == 100)
  }

  private func expect(_ example: Case) {
    let composition = Composition(example.script)
    #expect(composition.findings == [example.expected])
    #expect(composition.composed.count == 0)
  }
}
