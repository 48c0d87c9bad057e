extension OperationGraph {
  /// Adds a function without inputs and without a value. It is called directly, without a task, and is stored
  /// unchanged.
  ///
  /// - Parameters:
  ///   - label: its name in reports.
  ///   - predecessors: the operations that it comes after, and arrays of them.
  ///   - options: further settings of the operation.
  ///   - work: the function.
  /// - Precondition: the predecessors are operations of this graph.
  /// - Complexity: amortised O(1 + predecessors)
  @inlinable
  @discardableResult
  public mutating func add(
    _ label: String = "", after predecessors: any Predecessors..., with options: Option...,
    perform work: consuming @escaping @Sendable () throws -> Void
  ) -> Operation<Void> {
    // Inlined, so that no memory is allocated for the list of predecessors.
    let operation = appendPlain(label, options, work)
    for predecessors in predecessors { addDependencies(of: operation, onAll: predecessors) }
    return operation
  }

  /// Adds a function without inputs that returns a value. It is called directly, without a task.
  ///
  /// - Parameters: see the function without a value.
  @discardableResult
  public mutating func add<Output: Sendable>(
    _ label: String = "", after predecessors: any Predecessors..., with options: Option...,
    perform work: @escaping @Sendable () throws -> Output
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let work = OperationWork.function { frame in frame.store(try work(), at: slot) }
    return append(label, work, storingAt: slot, after: predecessors, options)
  }

  /// Adds an asynchronous function without inputs. Cancelling the run cancels its task.
  ///
  /// - Parameters: see the function without a value.
  @discardableResult
  public mutating func add<Output: Sendable>(
    _ label: String = "", after predecessors: any Predecessors..., with options: Option...,
    perform work: @escaping @Sendable () async throws -> Output
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let work = OperationWork.starting { frame, token in
      token.slot = frame.place(of: slot)
      token.startTask(work)
    }
    return append(label, work, storingAt: slot, after: predecessors, options)
  }

  /// Adds completion-handler work without inputs. It ends when it calls the `done` that it receives, not when it
  /// returns.
  ///
  /// ```swift
  /// graph.addWithCompletion("upload") { done in upload(page, completion: done.closure) }
  /// ```
  ///
  /// - Parameters: see the function without a value.
  @discardableResult
  public mutating func addWithCompletion(
    _ label: String = "", after predecessors: any Predecessors..., with options: Option...,
    perform work: @escaping @Sendable (_ done: Done<Void>) -> Void
  ) -> Operation<Void> {
    appendCompletion(label, after: predecessors, options, work)
  }

  /// Adds completion-handler work without inputs that produces a value. It ends when it calls the `done` that it
  /// receives, not when it returns.
  ///
  /// ```swift
  /// let size = graph.addWithCompletion("size", of: Int.self) { done in measure { done($0) } }
  /// ```
  ///
  /// - Parameters: see the overload of `add` for a function without a value.
  ///   - type: the type of the value.
  @discardableResult
  public mutating func addWithCompletion<Output: Sendable>(
    _ label: String = "", of type: Output.Type, after predecessors: any Predecessors...,
    with options: Option..., perform work: @escaping @Sendable (_ done: Done<Output>) -> Void
  ) -> Operation<Output> {
    appendCompletion(label, after: predecessors, options, work)
  }

  private mutating func appendCompletion<Output: Sendable>(
    _ label: String, after predecessors: [any Predecessors], _ options: [Option],
    _ work: @escaping @Sendable (_ done: Done<Output>) -> Void
  ) -> Operation<Output> {
    let slot = appendSlot(Output.self)
    let work = OperationWork.starting { frame, token in
      token.slot = frame.place(of: slot)
      work(Done(token))
    }
    return append(label, work, storingAt: slot, after: predecessors, options)
  }

  @usableFromInline
  mutating func appendPlain(
    _ label: String, _ options: [Option],
    _ work: consuming @escaping @Sendable () throws -> Void
  ) -> Operation<Void> {
    let index = append(label, .plain(work), options)
    return Operation<Void>(graph: table.graph, index: index, slot: -1)
  }

  mutating func append<Output>(
    _ label: String, _ work: consuming OperationWork, storingAt slot: Int32,
    after predecessors: [any Predecessors], _ options: [Option]
  ) -> Operation<Output> {
    let index = append(label, work, options)
    let operation = Operation<Output>(graph: table.graph, index: index, slot: slot)
    for predecessors in predecessors { addDependencies(of: operation, onAll: predecessors) }
    return operation
  }
}
