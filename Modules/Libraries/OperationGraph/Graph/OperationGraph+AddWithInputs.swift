extension OperationGraph {
  /// Adds a function of the values of other operations and of inputs; it starts in place, without a task.
  ///
  /// - Parameters:
  ///   - label: what reports call it.
  ///   - first: whose value it gets. It comes after all those whose values it gets.
  ///   - rest: whose values it gets, too.
  ///   - predecessors: what else it comes after.
  ///   - condition: whether it is to run, once its inputs are there; if not, it is skipped.
  ///   - options: what it asks for beside that.
  /// - Precondition: inputs and predecessors are operations of this graph.
  /// - Complexity: amortised O(1 + inputs + predecessors)
  @discardableResult
  public mutating func add<First, each Rest, each Before, Output: Sendable>(
    _ label: String, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    after predecessors: repeat Operation<each Before>,
    when condition: (@Sendable (First, repeat each Rest) -> Bool)? = nil, with options: Option...,
    perform work: @escaping @Sendable (First, repeat each Rest) throws -> Output
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let others = (repeat each rest)
    let index = append(
      label,
      .function { frame in
        frame.store(
          try work(frame.value(of: first), repeat frame.value(of: each others)), at: slot)
      }, isStarting: false, options)
    connect(index, first, repeat each rest, when: condition)
    for predecessor in repeat each predecessors { appendDependency(of: index, on: predecessor) }
    return Operation<Output>(graph: table.graph, index: index, slot: slot)
  }

  /// Adds an asynchronous function of the values of other operations and of inputs. Cancelling the run
  /// cancels its task.
  ///
  /// - Parameters: see the one that is not asynchronous.
  @discardableResult
  public mutating func add<First, each Rest, each Before, Output: Sendable>(
    _ label: String, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    after predecessors: repeat Operation<each Before>,
    when condition: (@Sendable (First, repeat each Rest) -> Bool)? = nil, with options: Option...,
    perform work: @escaping @Sendable (First, repeat each Rest) async throws -> Output
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let others = (repeat each rest)
    let index = append(
      label,
      .starting { frame, token in
        let values = (repeat frame.value(of: each others))
        let value = frame.value(of: first)
        token.startTask(storingAt: frame.place(of: slot)) {
          try await work(value, repeat each values)
        }
      }, isStarting: true, options)
    connect(index, first, repeat each rest, when: condition)
    for predecessor in repeat each predecessors { appendDependency(of: index, on: predecessor) }
    return Operation<Output>(graph: table.graph, index: index, slot: slot)
  }

  /// Adds completion-handler work that gets the values of other operations and of inputs; it ends when it
  /// calls the `done` it gets last, not when it returns.
  ///
  /// - Parameters: see the one that is not asynchronous.
  @discardableResult
  public mutating func add<First, each Rest, each Before, Output: Sendable>(
    _ label: String, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    after predecessors: repeat Operation<each Before>,
    when condition: (@Sendable (First, repeat each Rest) -> Bool)? = nil, with options: Option...,
    perform work: @escaping @Sendable (First, repeat each Rest, _ done: Done<Output>) -> Void
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let others = (repeat each rest)
    let index = append(
      label,
      .starting { frame, token in
        call(
          work, frame.value(of: first), repeat frame.value(of: each others),
          Done<Output>(token, slot: frame.place(of: slot)))
      }, isStarting: true, options)
    connect(index, first, repeat each rest, when: condition)
    for predecessor in repeat each predecessors { appendDependency(of: index, on: predecessor) }
    return Operation<Output>(graph: table.graph, index: index, slot: slot)
  }

  /// Makes an operation come after its inputs, and start only under its condition.
  private mutating func connect<First, each Rest>(
    _ index: Int32, _ first: Operation<First>, _ rest: repeat Operation<each Rest>,
    when condition: (@Sendable (First, repeat each Rest) -> Bool)?
  ) {
    appendDependency(of: index, on: first)
    for other in repeat each rest { appendDependency(of: index, on: other) }
    requireValues(of: first, repeat each rest, by: index)
    guard let condition else { return }
    let others = (repeat each rest)
    setCondition(of: index) { frame in
      condition(frame.value(of: first), repeat frame.value(of: each others))
    }
  }

  /// Adds the list of the values of operations of one type, in their order.
  ///
  /// With the outcomes of operations and `.trigger(.allDone)` it is the list of how all of them ended:
  ///
  /// ```swift
  /// let all = build.join(pages.map(\.outcome), with: .trigger(.allDone))
  /// ```
  ///
  /// - Parameters:
  ///   - operations: whose values it has.
  ///   - label: what reports call it.
  ///   - options: what it asks for beside that.
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
      isStarting: false, options)
    for operation in all {
      appendDependency(of: index, on: operation)
      requireValues(of: operation, by: index)
    }
    return Operation<[Value]>(graph: table.graph, index: index, slot: slot)
  }
}

/// Calls a function whose type has a parameter behind a pack, which the compiler does not do directly.
private func call<each Argument>(
  _ function: (repeat each Argument) -> Void, _ arguments: repeat each Argument
) {
  function(repeat each arguments)
}
