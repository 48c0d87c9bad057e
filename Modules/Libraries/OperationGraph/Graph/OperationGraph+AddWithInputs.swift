extension OperationGraph {
  /// Adds a function of inputs and of the values of other operations. It starts in place, without a task.
  ///
  /// - Parameters:
  ///   - label: its name in reports.
  ///   - first: the operation or input whose value it receives first. The new operation comes after all operations
  ///     whose values it receives.
  ///   - rest: further operations and inputs whose values it receives.
  ///   - predecessors: further operations that it comes after.
  ///   - condition: decides whether it runs, once its inputs are available. If not, it is skipped.
  ///   - options: further settings of the operation.
  /// - Precondition: inputs and predecessors are operations of this graph.
  /// - Complexity: amortised O(1 + inputs + predecessors)
  @discardableResult
  public mutating func add<First, each Rest, Output: Sendable>(
    _ label: String, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    after predecessors: any Predecessors...,
    when condition: (@Sendable (First, repeat each Rest) -> Bool)? = nil, with options: Option...,
    perform work: @escaping @Sendable (First, repeat each Rest) throws -> Output
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let others = (repeat each rest)
    let work = OperationWork.function { frame in
      frame.store(try work(frame.value(of: first), repeat frame.value(of: each others)), at: slot)
    }
    let operation: Operation<Output> = append(
      label, work, storingAt: slot, after: [], options)
    connect(operation, first, repeat each rest, after: predecessors, when: condition)
    return operation
  }

  /// Adds an asynchronous function of inputs and of the values of other operations. Cancelling the run cancels its
  /// task.
  ///
  /// - Parameters: see the function that is not asynchronous.
  @discardableResult
  public mutating func add<First, each Rest, Output: Sendable>(
    _ label: String, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    after predecessors: any Predecessors...,
    when condition: (@Sendable (First, repeat each Rest) -> Bool)? = nil, with options: Option...,
    perform work: @escaping @Sendable (First, repeat each Rest) async throws -> Output
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let others = (repeat each rest)
    let work = OperationWork.starting { frame, token in
      let values = (repeat frame.value(of: each others))
      let value = frame.value(of: first)
      token.slot = frame.place(of: slot)
      token.startTask { try await work(value, repeat each values) }
    }
    let operation: Operation<Output> = append(
      label, work, storingAt: slot, after: [], options)
    connect(operation, first, repeat each rest, after: predecessors, when: condition)
    return operation
  }

  /// Adds completion-handler work that receives inputs and the values of other operations. It ends when it calls the
  /// `done` that it receives as its last argument, not when it returns.
  ///
  /// - Parameters: see the function that is not asynchronous.
  @discardableResult
  public mutating func addWithCompletion<First, each Rest>(
    _ label: String, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    after predecessors: any Predecessors...,
    when condition: (@Sendable (First, repeat each Rest) -> Bool)? = nil, with options: Option...,
    perform work: @escaping @Sendable (First, repeat each Rest, _ done: Done<Void>) -> Void
  ) -> Operation<Void> {
    appendCompletion(
      label, first, repeat each rest, after: predecessors, when: condition, options, work)
  }

  /// Adds completion-handler work that receives inputs and the values of other operations, and produces a value. It
  /// ends when it calls the `done` that it receives as its last argument, not when it returns.
  ///
  /// - Parameters: see the function that is not asynchronous.
  ///   - type: the type of the value.
  @discardableResult
  public mutating func addWithCompletion<First, each Rest, Output: Sendable>(
    _ label: String, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    of type: Output.Type, after predecessors: any Predecessors...,
    when condition: (@Sendable (First, repeat each Rest) -> Bool)? = nil, with options: Option...,
    perform work: @escaping @Sendable (First, repeat each Rest, _ done: Done<Output>) -> Void
  ) -> Operation<Output> {
    appendCompletion(
      label, first, repeat each rest, after: predecessors, when: condition, options, work)
  }

  /// Adds completion-handler work that reads its input itself, and makes its `done` from a token.
  ///
  /// So the code that does this is compiled in the caller, where the types are known. With a list of inputs, each start
  /// looks up types at run time, which takes longer than everything else.
  package mutating func addWithToken<Input, Output: Sendable>(
    _ label: String, _ input: Operation<Input>, of type: Output.Type,
    perform work: @escaping @Sendable (OperationFrame, OperationToken) -> Void
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let work = OperationWork.starting { frame, token in
      token.slot = frame.place(of: slot)
      work(frame, token)
    }
    let operation: Operation<Output> = append(
      label, work, storingAt: slot, after: [], [])
    connect(operation, input, after: [], when: nil)
    return operation
  }

  private mutating func appendCompletion<First, each Rest, Output: Sendable>(
    _ label: String, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    after predecessors: [any Predecessors],
    when condition: (@Sendable (First, repeat each Rest) -> Bool)?, _ options: [Option],
    _ work: @escaping @Sendable (First, repeat each Rest, _ done: Done<Output>) -> Void
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let others = (repeat each rest)
    let work = OperationWork.starting { frame, token in
      token.slot = frame.place(of: slot)
      call(
        work, frame.value(of: first), repeat frame.value(of: each others), Done<Output>(token))
    }
    let operation: Operation<Output> = append(
      label, work, storingAt: slot, after: [], options)
    connect(operation, first, repeat each rest, after: predecessors, when: condition)
    return operation
  }

  /// Makes an operation come after its inputs and predecessors, and sets its condition if there is one.
  private mutating func connect<Output, First, each Rest>(
    _ operation: Operation<Output>, _ first: Operation<First>,
    _ rest: repeat Operation<each Rest>, after predecessors: [any Predecessors],
    when condition: (@Sendable (First, repeat each Rest) -> Bool)?
  ) {
    let index = operation.index
    appendDependency(of: index, on: first)
    for other in repeat each rest { appendDependency(of: index, on: other) }
    requireValues(of: first, repeat each rest, by: index)
    for predecessors in predecessors { addDependencies(of: operation, onAll: predecessors) }
    guard let condition else { return }
    let others = (repeat each rest)
    setCondition(of: index) { frame in
      condition(frame.value(of: first), repeat frame.value(of: each others))
    }
  }

  /// Adds an operation whose value is the list of the values of operations of one type, in the given order.
  ///
  /// With the outcomes of operations and `.trigger(.allDone)`, the list says how all of them ended:
  ///
  /// ```swift
  /// let all = build.join(pages.map(\.outcome), with: .trigger(.allDone))
  /// ```
  ///
  /// - Parameters:
  ///   - operations: the operations whose values are listed.
  ///   - label: its name in reports.
  ///   - options: further settings of the operation.
  /// - Precondition: they are operations of this graph.
  /// - Complexity: amortised O(operations)
  public mutating func join<Value>(
    _ operations: some Sequence<Operation<Value>>, named label: String = "", with options: Option...
  ) -> Operation<[Value]> {
    let all = Array(operations)
    let slot = appendSlot([Value].self)
    let index = append(
      label,
      .function { frame in frame.store(all.map { frame.value(of: $0) }, at: slot) },
      options)
    for operation in all {
      appendDependency(of: index, on: operation)
      requireValues(of: operation, by: index)
    }
    return Operation<[Value]>(graph: table.graph, index: index, slot: slot)
  }
}

/// Calls a function whose type has a parameter after a pack. The compiler does not support calling it directly.
private func call<each Argument>(
  _ function: (repeat each Argument) -> Void, _ arguments: repeat each Argument
) {
  function(repeat each arguments)
}
