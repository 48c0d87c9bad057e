import AsyncSimulation
import OperationGraph
import Testing

/// Tests the values that operations pass to their dependents.
@Suite struct GraphValueTests {
  private let runtime = SimulatedRuntime()

  private func run(
    _ graph: OperationGraph, _ inputs: GraphInput..., on placement: Placement = .pool
  ) throws -> GraphResult {
    let results = Locked<[Result<GraphResult, any Error>]>([])
    graph.start(given: inputs, on: placement, runtime: runtime) { result in
      results.withLock { $0.append(result) }
    }
    runtime.runUntilIdle()
    let all = results.withLock { $0 }
    try #require(all.count == 1)
    return try all[0].get()
  }

  @Test(arguments: [Placement.pool, .main, .inline])
  func `each kind of work gets the values of its predecessors and passes its own on`(
    _ placement: Placement
  ) throws {
    var build = OperationGraph()
    let text = build.input(String.self, named: "text")
    let words = build.add("words", text) { $0.split(separator: " ").map(String.init) }
    let count = build.add("count", words) { words in
      await Task.yield()
      return words.count
    }
    let longest = build.addWithCompletion("longest", words, of: String.self) {
      [runtime] words, done in
      runtime.pool.schedule(after: .ms(1)) {
        done(words.max { $0.count < $1.count } ?? "")
      }
    }
    let line = build.add("line", count, longest, text) { count, longest, text in
      "\(count) words, \(longest) in “\(text)”"
    }
    let first = try run(build, text.value("to be or not"), on: placement)
    #expect(try first[line] == "4 words, not in “to be or not”")
    #expect(try first[words] == ["to", "be", "or", "not"])
    let second = try run(build, text.value("ay"), on: placement)
    #expect(try second[line] == "1 words, ay in “ay”")
    #expect(try first[count] == 4)
  }

  @Test func `values of any size and alignment can be stored together`() throws {
    var build = OperationGraph()
    let byte = build.add("byte") { UInt8(7) }
    let vector = build.add("vector") { SIMD4<Float>(1, 2, 3, 4) }
    let flag = build.add("flag") { true }
    let wide = build.add("wide") { (1, 2.5, "three", [4]) as (Int, Double, String, [Int]) }
    let nothing = build.add("nothing", byte) { _ in () }
    let all = build.add("all", byte, vector, flag, wide, nothing) {
      byte, vector, flag, wide, nothing in
      "\(byte) \(vector.sum()) \(flag) \(wide.0) \(wide.1) \(wide.2) \(wide.3) \(nothing)"
    }
    #expect(try run(build)[all] == "7 10.0 true 1 2.5 three [4] ()")
  }

  @Test func `a list of operations becomes an operation of their values`() throws {
    var build = OperationGraph()
    let pages = (1...5).map { number in build.add("page-\(number)") { "page \(number)" } }
    let index = build.add("index", build.join(pages, named: "pages")) {
      $0.joined(separator: ", ")
    }
    let none = build.join([OperationGraph.Operation<Int>]())
    let result = try run(build)
    #expect(try result[index] == "page 1, page 2, page 3, page 4, page 5")
    #expect(try result[none] == [])
  }

  @Test func `an outcome can be an input`() throws {
    var build = OperationGraph()
    let page = build.add("page") { 12 }
    let shown = build.add("shown", page.outcome, page) { outcome, page in
      outcome.value == page ? "as it is" : "\(outcome)"
    }
    let result = try run(build)
    #expect(try result[shown] == "as it is")
    #expect(try result[page.outcome].value == 12)
    #expect(result.outcome(of: page).value == 12)
    #expect(result.outcome(of: page).error == nil)
    #expect(result.outcome(of: page.outcome).value?.value == 12)
  }

  @Test func `an operation with a mere dependency gets no value`() throws {
    let log = Log()
    var build = OperationGraph()
    let first = build.add("first") { log.append("first") }
    let second = build.add("second", after: first) { () -> Int in
      log.append("second")
      return 2
    }
    build.add("third", after: first, second) { log.append("third") }
    _ = try run(build)
    #expect(log.entries == ["first", "second", "third"])
  }

  @Test func `the type of a function and the name of the call decide the kind of work`() throws {
    var build = OperationGraph()
    let plain: OperationGraph.Operation<Void> = build.add {}
    let value: OperationGraph.Operation<Int> = build.add { 5 }
    let asynchronous: OperationGraph.Operation<Int> = build.add {
      await Task.yield()
      return 6
    }
    let callback: OperationGraph.Operation<Void> = build.addWithCompletion { done in done() }
    let some: OperationGraph.Operation<String> = build.add("some", value, after: plain) { number in
      let text = "\(number)"
      if text.isEmpty { return "nothing" }
      return text
    }
    build.addDependency(of: callback, on: asynchronous)
    let result = try run(build)
    #expect(try result[value] == 5 && result[asynchronous] == 6 && result[some] == "5")
    try result[plain]
    try result[callback]
  }

  // MARK: Inputs

  @Test func `a run with missing or with duplicate input values is refused before anything starts`()
  {
    let log = Log()
    var build = OperationGraph()
    let size = build.input(Int.self, named: "size")
    let name = build.input(String.self)
    build.add("a", size) { log.append("\($0)") }
    var other = OperationGraph()
    let foreign = other.input(Int.self)
    let refused: [(given: [GraphInput], message: String)] = [
      (
        [name.value("x")],
        "the graph's size has no value: give the run one, with value(_:) of the input's handle"
      ),
      (
        [size.value(1)],
        "the graph's input 2 has no value: give the run one, with value(_:) of the input's handle"
      ),
      (
        [size.value(1), size.value(2), name.value("x")],
        "the graph's size was given two values: give the run one of them"
      ),
      (
        [size.value(1), name.value("x"), foreign.value(3)],
        "a value was given for an input of another graph: use the handle that this graph's input returned"
      ),
    ]
    for (given, message) in refused {
      let errors = Log()
      build.start(given: given, runtime: runtime) { result in
        do { _ = try result.get() } catch { errors.append("\(error)") }
      }
      runtime.runUntilIdle()
      #expect(errors.entries == [message])
    }
    #expect(log.entries.isEmpty)
  }

  @Test func `using a handle of another graph stops the program`() async {
    await #expect(processExitsWith: .failure) {
      var one = OperationGraph()
      let number = one.add("number") { 1 }
      var other = OperationGraph()
      other.add("sum", number) { $0 + 1 }
    }
    await #expect(processExitsWith: .failure) {
      // Both graphs are copies of one graph and have changed since then.
      var one = OperationGraph()
      var other = one
      _ = one.add("number") { 1 }
      let text = other.add("text") { "1" }
      one.add("length", text) { $0.count }
    }
  }

  // MARK: Releasing

  @Test func `values are released with the last reference to the run or its result`() throws {
    let held = Locked<[() -> Bool]>([])
    final class Held: Sendable {}
    var build = OperationGraph()
    let first = build.add("first") {
      let object = Held()
      held.withLock { [weak object] in $0.append { object == nil } }
      return object
    }
    let second = build.add("second", first) { [$0] }
    var result: GraphResult? = try run(build)
    #expect(held.withLock { $0.map { $0() } } == [false])
    #expect(try result?[second].count == 1)
    result = nil
    #expect(held.withLock { $0.map { $0() } } == [true])
  }
}
