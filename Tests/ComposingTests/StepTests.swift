import Testing

/// Valid scripts, and the steps that they must become.
@Suite struct StepTests {
  static let job = "job = [ fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms ]\n"

  @Test(arguments: [
    Case("sleep 1ms", "sleep"),
    Case("serial", "serial"),
    Case("serial { }", "serial"),
    Case("serial []", "serial"),
    Case("serial never", "serial{never}"),
    Case("serial { a: sleep 1ms; b: work 1ms }", "serial{a:sleep b:work}"),
    Case("serial [a: sleep 1ms]", "serial{a:sleep}"),
    Case(#"serial { "a b": value 1 }"#, "serial{a b:value}"),
    Case(
      "serial { a: graph { b: serial { c: value 1 } } }",
      "serial{a:graph{b:serial{c:value}}}"),
    Case("animate(for: 3ms)", "animate"),
    Case("animate 3ms", "animate"),
  ])
  func `a call composes to a step with its steps`(_ example: Case) {
    expect(example)
  }

  @Test(arguments: [
    Case("serial { sleep 1ms; work 1ms }", "serial{sleep work}"),
    Case("serial { sleep 1ms; sleep 2ms; sleep 3ms }", "serial{sleep sleep-2:sleep sleep-3:sleep}"),
    Case("serial { serial { value 1 } }", "serial{serial{value}}"),
    // Explicit labels take precedence over generated ones, wherever they are.
    Case("serial { sleep 1ms; sleep: work 1ms }", "serial{sleep-2:sleep sleep:work}"),
    Case(
      "serial { sleep 1ms; sleep 2ms; sleep-2: work 1ms }",
      "serial{sleep sleep-3:sleep sleep-2:work}"),
    Case(
      "bounded(2) { page: 4 * sleep 10ms }",
      "bounded{page-1:sleep page-2:sleep page-3:sleep page-4:sleep}"),
    Case("serial { 2 * sleep 1ms }", "serial{sleep-1:sleep sleep-2:sleep}"),
    Case("serial { 1 * sleep 1ms }", "serial{sleep-1:sleep}"),
    Case(
      "serial { 2 * value 1; 2 * value 2 }",
      "serial{value-1:value value-2:value value-3:value value-4:value}"),
    Case(
      "serial { page: 3 * value 1; page-2: sleep 1ms }",
      "serial{page-1:value page-3:value page-4:value page-2:sleep}"),
    Case(
      "serial { page: 2 * value 1; page-02: value 1; x-1: 2 * value 2; page-3: sleep 1ms }",
      "serial{page-1:value page-2:value page-02:value x-1-1:value x-1-2:value page-3:sleep}"),
    Case(
      "serial { page-9223372036854775807: 2 * value 1; page: 1 * value 1 }",
      "serial{page-9223372036854775807-1:value page-9223372036854775807-2:value page-1:value}"),
    Case(
      "serial { sleep: 2 * value 1; sleep 1ms }",
      "serial{sleep-1:value sleep-2:value sleep-3:sleep}"),
    Case(
      "serial { x: 2 * serial { a: value 1 } }",
      "serial{x-1:serial{a:value} x-2:serial{a:value}}"),
  ])
  func `steps without a label get a unique one`(_ example: Case) {
    expect(example)
  }

  @Test(arguments: [
    Case("graph { a: value 1; b: value 1 after a }", "graph{a:value b:value<a}"),
    Case("graph { b: value 1 after a; a: value 1 }", "graph{b:value<a a:value}"),
    Case("graph { a: value 1; b: value 1 after a, a }", "graph{a:value b:value<a}"),
    Case(
      "graph { p: 2 * value 1; b: value 1 after p }",
      "graph{p-1:value p-2:value b:value<p-1,p-2}"),
    Case(
      "graph { p: 2 * value 1; b: value 1 after p-2, p }",
      "graph{p-1:value p-2:value b:value<p-2,p-1}"),
    Case(
      "graph { 2 * value 1; b: sleep 1ms after value }",
      "graph{value-1:value value-2:value b:sleep<value-1,value-2}"),
    Case(
      "graph { a: value 1; p: 2 * value 1 after a }",
      "graph{a:value p-1:value<a p-2:value<a}"),
    Case("graph { value 1; value 2 after value }", "graph{value value-2:value<value}"),
    // The numbers of the copies are in two ranges, around the label that is written.
    Case(
      "graph { p: 2 * value 1; p-2: sleep 1ms; x: work 1ms after p-1, p-2, p-3; y: value 2 after p }",
      "graph{p-1:value p-3:value p-2:sleep x:work<p-1,p-2,p-3 y:value<p-1,p-3}"),
    Case(#"graph { "a b": value 1; b: value 1 after "a b" }"#, "graph{a b:value b:value<a b}"),
    Case("serial { a: value 1; b: value 1 after a }", "serial{a:value b:value<a}"),
  ])
  func `predecessors are labels of the same list`(_ example: Case) {
    expect(example)
  }

  @Test(arguments: [
    Case("serial job", "serial{job/fetch:sleep job/parse:work job/store:sleep}"),
    Case("serial { job }", "serial{job/fetch:sleep job/parse:work job/store:sleep}"),
    Case("serial [ job ]", "serial{job/fetch:sleep job/parse:work job/store:sleep}"),
    Case("k = job; serial k", "serial{k/fetch:sleep k/parse:work k/store:sleep}"),
    Case(
      "k = [ job; last: value 1 ]; serial k",
      "serial{k/job/fetch:sleep k/job/parse:work k/job/store:sleep k/last:value}"),
    Case(
      "serial { sleep 1ms; job; x: value 1 after job }",
      "serial{sleep job/fetch:sleep job/parse:work job/store:sleep "
        + "x:value<fetch,parse,store}"),
    Case("serial { x: value 1; job after x }", "serial{x:value \(afterX)}"),
    Case("serial { 2 * serial job }", "serial{serial-1:serial\(inner) serial-2:serial\(inner)}"),
    Case("page = serial job; serial page", "serial{page:serial\(inner)}"),
    Case("page = serial job; page", "page:serial\(inner)"),
    Case(
      "page = sleep 1ms; serial { 2 * page; x: page after page }",
      "serial{page-1:sleep page-2:sleep x:sleep<page-1,page-2}"),
    Case("none = []; serial { none; a: value 1 after none }", "serial{a:value}"),
    // The value of a name is fixed when the name is defined.
    Case("a = sleep 1ms; b = [ a ]; a = value 1; serial { b; x: a }", "serial{b/a:sleep x:value}"),
  ])
  func `a name stands for its list or step`(_ example: Case) {
    expect(Case(Self.job + example.script, example.expected))
  }

  static let inner = "{job/fetch:sleep job/parse:work job/store:sleep}"
  static let afterX = "job/fetch:sleep<x job/parse:work<x job/store:sleep<x"

  /// The labels that an inserted list brings along, and the labels that change to avoid conflicts.
  @Test(arguments: [
    Case(
      "l = [ sleep 1ms; x: value 1 after sleep ]; serial { sleep 2ms; l }",
      "serial{sleep l/sleep-2:sleep l/x:value<sleep-2}"),
    Case(
      "l = [ sleep 1ms ]; serial { l; l; x: value 1 after l }",
      "serial{l/sleep l/sleep-2:sleep x:value<sleep,sleep-2}"),
    Case(
      "l = [ sleep: value 1 ]; serial { sleep 1ms; l }", "serial{sleep-2:sleep l/sleep:value}"),
    Case(
      "l = [ 2 * value 1; x: sleep 1ms after value ]; serial { 2 * value 2; l }",
      "serial{value-1:value value-2:value l/value-3:value l/value-4:value "
        + "l/x:sleep<value-3,value-4}"),
    // Labels are resolved first within the list, then in the list around it.
    Case(
      "l = [ value 1; x: sleep 1ms after value ]; serial { value: sleep 2ms; l }",
      "serial{value:sleep l/value-2:value l/x:sleep<value-2}"),
    Case("l = [ x: value 1 after a ]; serial { a: value 2; l }", "serial{a:value l/x:value<a}"),
    Case(
      "l = [ x: value 1 after a ]; m = [ b: value 1; l ]; serial { a: value 2; m after a }",
      "serial{a:value m/b:value<a m/l/x:value<a}"),
    Case(
      "l = [ x: value 1; y: value 1 after x ]; serial { a: value 2; l after a }",
      "serial{a:value l/x:value<a l/y:value<x,a}"),
    Case(
      "l = [ p: 2 * value 1 ]; serial { l; x: value 1 after p }",
      "serial{l/p-1:value l/p-2:value x:value<p-1,p-2}"),
    Case(
      "l = [ x: value 1 with on: main; y: value 1 ]; graph { l with priority: 3 }",
      "graph{l/x:value|on=main,priority=3 "
        + "l/y:value|priority=3}"),
  ])
  func `an inserted list brings its labels, and conflicts are renamed`(_ example: Case) {
    expect(example)
  }

  @Test(arguments: [
    Case("serial { a: value 1 with on: main }", "serial{a:value|on=main}"),
    Case("serial { a: 2 * value 1 with on: pool }", "serial{a-1:value|on=pool a-2:value|on=pool}"),
    Case(
      "graph { a: value 1; b: value 1 after a with trigger: any-failed, on: main }",
      "graph{a:value b:value<a|trigger=any-failed,on=main}"),
    Case(
      "graph { a: value 1 with priority: 0 }", "graph{a:value|priority=0}"),
    Case("some { a: value 1 with weight: -3 }", "some{a:value|weight=-3,share=1.0}"),
  ])
  func `the options of a step reach its pattern`(_ example: Case) {
    expect(example)
  }

  @Test func `a run is named after its source`() {
    let composition = Composition(
      Self.job + "serial job\npage = serial job\npage\ncompare job under serial, bounded( 2 )\n"
        + "serial {  a: value 1 # why\n }")
    #expect(composition.findings == [])
    #expect(
      composition.composed.map(\.name)
        == ["serial job", "page", "serial", "bounded(2)", "serial { a: value 1 }"])
    #expect(
      composition.composed.map(\.pattern) == ["serial", "serial", "serial", "bounded", "serial"])
  }

  private func expect(_ example: Case) {
    let composition = Composition(example.script)
    #expect(composition.findings == [])
    #expect(composition.outline == example.expected)
  }
}
