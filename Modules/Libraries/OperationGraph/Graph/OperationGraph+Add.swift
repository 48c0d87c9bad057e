// The type of the closure selects the `add`: it returns a value, it is asynchronous, or it calls a `done`.

extension OperationGraph {
  /// Adds a function without inputs and without a value. It starts in place, without a task, and is stored unchanged.
  ///
  /// - Parameters:
  ///   - label: its name in reports.
  ///   - predecessors: the operations that it comes after.
  ///   - options: further settings of the operation.
  /// - Precondition: the predecessors are operations of this graph.
  /// - Complexity: amortised O(1 + predecessors)
  @discardableResult
  public mutating func add<each Before>(
    _ label: String = "", after predecessors: repeat Operation<each Before>,
    with options: Option..., perform work: consuming @escaping @Sendable () throws -> Void
  ) -> Operation<Void> {
    let index = append(label, .plain(work), isStarting: false, options)
    for predecessor in repeat each predecessors { appendDependency(of: index, on: predecessor) }
    return Operation<Void>(graph: table.graph, index: index, slot: -1)
  }

  /// Adds a function without inputs that returns a value. It starts in place, without a task.
  ///
  /// - Parameters: see the function without a value.
  ///   - work: makes the value. It is optional only so that the compiler prefers the function without a value where
  ///     both would match. Nil has no meaning.
  @discardableResult
  public mutating func add<each Before, Output: Sendable>(
    _ label: String = "", after predecessors: repeat Operation<each Before>,
    with options: Option..., perform work: (@Sendable () throws -> Output)?
  ) -> Operation<Output> {
    guard let work else { preconditionFailure("an operation needs work: pass a closure") }
    let slot = appendSlot(Output.self)
    let index = append(
      label, .function { frame in frame.store(try work(), at: slot) }, isStarting: false, options)
    for predecessor in repeat each predecessors { appendDependency(of: index, on: predecessor) }
    return Operation<Output>(graph: table.graph, index: index, slot: slot)
  }

  /// Adds an asynchronous function without inputs. Cancelling the run cancels its task.
  ///
  /// - Parameters: see the function without a value.
  @discardableResult
  public mutating func add<each Before, Output: Sendable>(
    _ label: String = "", after predecessors: repeat Operation<each Before>,
    with options: Option..., perform work: @escaping @Sendable () async throws -> Output
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let index = append(
      label, .starting { frame, token in token.startTask(storingAt: frame.place(of: slot), work) },
      isStarting: true, options)
    for predecessor in repeat each predecessors { appendDependency(of: index, on: predecessor) }
    return Operation<Output>(graph: table.graph, index: index, slot: slot)
  }

  /// Adds completion-handler work without inputs. It ends when it calls the `done` that it receives, not when it
  /// returns.
  ///
  /// - Parameters: see the function without a value.
  @discardableResult
  public mutating func add<each Before, Output: Sendable>(
    _ label: String = "", after predecessors: repeat Operation<each Before>,
    with options: Option..., perform work: @escaping @Sendable (_ done: Done<Output>) -> Void
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let index = append(
      label, .starting { frame, token in work(Done(token, slot: frame.place(of: slot))) },
      isStarting: true, options)
    for predecessor in repeat each predecessors { appendDependency(of: index, on: predecessor) }
    return Operation<Output>(graph: table.graph, index: index, slot: slot)
  }
}
