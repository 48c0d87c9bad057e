internal import AsyncRuntime

extension OperationGraph {
  /// Adds a loop: an operation that runs another graph repeatedly, as long as a condition holds. Each round receives
  /// the value that the previous round produced.
  ///
  /// ```swift
  /// let better = build.loop("improve", from: draft, over: round, input: text, output: improved) {
  ///   !$0.isGood
  /// }
  /// ```
  ///
  /// The body runs at least once. The loop counts as one operation towards the width of its run; the body has a width
  /// of its own. If the body fails, the loop fails with the same error. Cancelling the loop cancels the body.
  ///
  /// - Parameters:
  ///   - label: its name in reports.
  ///   - first: the value for the first round.
  ///   - body: the graph that each round runs.
  ///   - input: the body's input that receives the value.
  ///   - output: the body's operation that makes the next value.
  ///   - width: how many operations of the body may be in flight at the same time.
  ///   - options: further settings of the loop.
  ///   - condition: decides, from the value of the last round, whether another round follows.
  @discardableResult
  public mutating func loop<Value: Sendable>(
    _ label: String, from first: Operation<Value>, over body: OperationGraph,
    input: Operation<Value>, output: Operation<Value>, width: Int = .max, with options: Option...,
    while condition: @escaping @Sendable (Value) -> Bool
  ) -> Operation<Value> {
    body.table.check(input)
    body.table.check(output)
    let slot = appendSlot(Value.self)
    let index = append(
      label,
      .starting { frame, token in
        token.slot = frame.place(of: slot)
        LoopRun(body, input, output, width, condition, Done(token)).start(
          with: frame.value(of: first))
      }, options)
    setBody(of: index, body)
    appendDependency(of: index, on: first)
    requireValues(of: first, by: index)
    return Operation<Value>(graph: table.graph, index: index, slot: slot)
  }
}

/// One run of a loop.
private final class LoopRun<Value: Sendable>: Sendable {
  private let body: OperationGraph
  private let input: OperationGraph.Operation<Value>
  private let output: OperationGraph.Operation<Value>
  private let width: Int
  private let condition: @Sendable (Value) -> Bool
  private let done: OperationGraph.Done<Value>

  init(
    _ body: OperationGraph, _ input: OperationGraph.Operation<Value>,
    _ output: OperationGraph.Operation<Value>, _ width: Int,
    _ condition: @escaping @Sendable (Value) -> Bool, _ done: OperationGraph.Done<Value>
  ) {
    self.body = body
    self.input = input
    self.output = output
    self.width = width
    self.condition = condition
    self.done = done
  }

  func start(with value: Value) { start(with: value, number: 1) }

  private func start(with value: Value, number: Int) {
    // Rounds that end immediately would otherwise nest: each would start inside the previous one.
    LaneContext.current.perform { self.round(value, number) }
  }

  private func round(_ value: Value, _ number: Int) {
    guard !done.isCancelled else { return done(throwing: CancellationError()) }
    let token = done.token
    let isTraced = token.host.span(of: token.operation) != .none
    body.start(
      given: [input.value(value)], width: width, on: token.host.placement,
      runtime: token.host.runtime, cancellation: token.cancellation,
      tracedAs: isTraced ? "round-\(number)" : nil
    ) { result in
      let next = result.flatMap { values in Result { try values[self.output] } }
      if case .success(let value) = next, self.condition(value) {
        self.start(with: value, number: number + 1)
      } else {
        self.done(next)
      }
    }
  }
}
