public import AsyncRuntime

extension SerialQueueStorage {
  /// The number of items that a drainer runs before it lets other jobs of its lane run.
  private var patience: Int {
    switch placement {
    case .pool, .inline: 8192
    case .main, .scheduler: 256
    }
  }

  func scheduleDrain() {
    if case .inline = placement {
      // Without a closure, whose references would be counted twice.
      LaneContext.current.perform(self)
    } else {
      placement.run(on: runtime) { [self] in drain() }
    }
  }

  @usableFromInline
  func run(in context: LaneContext) { drain() }

  private func drain() {
    let first = next {
      $0.pendingDrainers -= 1
      return (wantsNext: true, nil)
    }
    drain(from: first)
  }

  /// Starts one item after another, in the placement of the queue. It stops at an item that keeps
  /// running, or when no item is left. Items that end before their work has returned need no
  /// additional stack, because this is a loop.
  private func drain(from first: consuming QueuedItem?) {
    var patience = patience
    var item = first
    while let current = item.take() {
      if current.kind == .asynchronous {
        carry(current)
        item = next { _ in (wantsNext: true, nil) }
      } else {
        item = runItem(current, patience: &patience)
      }
    }
  }

  /// Runs an item that is not asynchronous. After an ordinary item, it also runs the ordinary items
  /// that follow.
  ///
  /// - Returns: the item that the caller must start.
  private func runItem(
    _ item: consuming QueuedItem, in carrier: Carrier? = nil, patience: inout Int
  ) -> QueuedItem? {
    let isUntimed = item.extras == nil && timeout == nil
    if item.kind == .plain, isUntimed {
      let (last, next) = runOrdinary(item, patience: &patience)
      if let last { return comeBack(from: last, in: carrier, wantsNext: patience > 0) }
      if let carrier, let next, next.kind == .asynchronous {
        update { $0.attach(carrier, to: next) }
      }
      return next
    }
    patience -= 1
    if isUntimed || startTimer(of: item) {
      if item.kind == .callback {
        return startCallback(
          consume item, in: carrier, isUntimed: isUntimed, wantsNext: patience > 0)
      }
      if let trace { trace.start(item) { begin(item) } } else { begin(item) }
    }
    return comeBack(from: item, in: carrier, wantsNext: patience > 0)
  }

  private func begin(_ item: QueuedItem) {
    if item.kind == .plain {
      unsafeDowncast(item, to: PlainItem.self).run()
    } else {
      item.runSynchronously()
    }
  }

  /// Starts completion-handler work.
  ///
  /// - Returns: the item that the caller must start.
  private func startCallback(
    _ item: consuming QueuedItem, in carrier: Carrier?, isUntimed: Bool, wantsNext: Bool
  ) -> QueuedItem? {
    if let trace {
      let keepsRunning = start(item, in: trace)
      if keepsRunning, isUntimed, isOneWide { return nil }
      return comeBack(from: item, in: carrier, wantsNext: wantsNext)
    }
    let completion = ItemCompletion(consume item, in: self)
    completion.start()
    let keepsRunning = completion.noteReturn()
    // The item has the only place in the queue, so there is nothing to start until it ends.
    if keepsRunning, isUntimed, isOneWide { return nil }
    let item = completion.item
    // If the work has dropped its completion handler, its report is scheduled before anything else starts.
    _ = consume completion
    return comeBack(from: item, in: carrier, wantsNext: wantsNext)
  }

  /// Starts completion-handler work, and records it.
  ///
  /// - Returns: whether the handler has not been called.
  private func start(_ item: QueuedItem, in trace: QueueTrace) -> Bool {
    var keepsRunning = false
    trace.start(item) {
      // Released here, so that a dropped completion handler is reported on behalf of the item.
      let completion = ItemCompletion(item, in: self)
      completion.start()
      keepsRunning = completion.noteReturn()
    }
    return keepsRunning
  }

  // MARK: Asynchronous items

  /// Runs an asynchronous item in a new carrier.
  private func carry(_ item: QueuedItem) {
    let carrier = Carrier()
    update { $0.attach(carrier, to: item) }
    let executor = trace?.executor(for: item) ?? executor
    // Detached: on an inline queue, this may run in the code that enqueued the item. The item must not see the
    // task-local values of that code.
    let start = {
      Task.detached(executorPreference: executor, priority: Task.currentPriority) {
        await self.carry(item, in: carrier)
      }
    }
    if startsHere, trace == nil {
      executor.startHere(start) { carrier.adopt($0) }
    } else {
      carrier.adopt(start())
    }
  }

  /// Runs an asynchronous item and the items after it, as long as the carrier may run them.
  private func carry(_ first: QueuedItem, in carrier: Carrier) async {
    carrier.begin()
    var patience = patience
    var item: QueuedItem? = first
    while let current = item {
      if current.kind == .asynchronous {
        patience -= 1
        if startTimer(of: current) {
          trace?.start(current)
          let span = LaneContext.current.span
          runtime.asynchronousBodyStarted(span)
          await current.runAsynchronously()
          runtime.asynchronousBodyEnded(span)
        }
        item = comeBack(from: current, in: carrier, wantsNext: patience > 0)
      } else if case .inline = placement {
        // Jobs may be waiting for the code on this stack to return. The next item must then wait,
        // too.
        return placement.run(on: runtime) { [self] in drain(from: current) }
      } else {
        item = runItem(current, in: carrier, patience: &patience)
      }
      // A traced task runs on behalf of one item only.
      if trace != nil, let item, item.kind == .asynchronous { return carry(item) }
    }
  }

  // MARK: Ends

  /// Called when the code of an item has returned. Ends the item, unless it is completion-handler work.
  ///
  /// - Returns: the item that the caller must start.
  private func comeBack(
    from item: QueuedItem, in carrier: Carrier? = nil, wantsNext: Bool
  ) -> QueuedItem? {
    var isAwaited = false
    var error: (any Error)?
    let following = next(in: carrier) { state in
      guard item.kind != .callback, item.phase == .running else {
        return state.didReturn(from: item) ? (wantsNext, nil) : nil
      }
      error = item.conclude()
      item.phase = .ended
      isAwaited = item.traits.contains(.awaited)
      if isAwaited { return (wantsNext: false, nil) }
      return (wantsNext, state.finish(item, error, isBack: true))
    }
    guard isAwaited else { return following }
    item.callHandlers(in: self)
    return next(in: carrier) { (wantsNext, $0.finish(item, error, isBack: true)) }
  }

  /// Ends an item, because its completion handler was called or dropped.
  ///
  /// - Parameter hasReturned: whether the code of the item has returned to the drainer that started it. If so, that
  ///   drainer may not come back.
  func end<Success>(
    _ item: TypedItem<Success>, _ result: Result<Success, any Error>, hasReturned: Bool
  ) {
    var isAwaited = false
    _ = next { state in
      // An item that is no longer running has timed out.
      guard item.phase == .running else { return nil }
      if hasReturned { item.traits.remove(.onDrainer) }
      item.result = result
      item.phase = .ended
      isAwaited = item.traits.contains(.awaited)
      return isAwaited ? nil : (wantsNext: false, state.finish(item, result.error))
    }
    guard isAwaited else { return }
    item.callHandlers(in: self)
    update { $0.finish(item, result.error) }
  }

  // MARK: Timeouts

  /// Starts the timer of an item, before the item runs.
  ///
  /// - Returns: false if the item has timed out already.
  private func startTimer(of item: QueuedItem) -> Bool {
    guard let timeout = item.extras?.timeout ?? timeout else { return true }
    let timer = runtime.pool.schedule(after: timeout) { [self] in
      endTime(of: item, after: timeout)
    }
    let isRunning = withLock { _ in
      guard item.phase == .running else { return false }
      item.ensuredExtras.timer = timer
      return true
    }
    if !isRunning { timer.cancel() }
    return isRunning
  }

  /// Ends an item that has timed out. First notifies the work, then calls the handlers, then lets
  /// the next item start.
  private func endTime(of item: QueuedItem, after timeout: Duration) {
    let isLate = decide { state in
      item.phase == .running ? (true, state.timeOut(item)) : (false, nil)
    }
    guard isLate else { return }
    let error = TimedOut(
      label.isEmpty ? item.name : "\(label): \(item.name)", after: timeout,
      site: "\(item.site.file):\(item.site.line)")
    item.fail(error, in: self)
    update { $0.finish(item, error) }
  }
}
