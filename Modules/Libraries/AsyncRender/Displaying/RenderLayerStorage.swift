internal import AsyncRuntime

/// A layer behind its lock. It carries out the decisions of its state, after unlocking.
final class RenderLayerStorage: Sendable {
  typealias State = RenderLayerState

  let renderer: Renderer
  /// The name of the layer in reports.
  let label: String
  /// Nil if the layer is not traced.
  let trace: LayerTrace?
  private let makeTask: @Sendable (RenderLayer) -> DisplayTask
  private let state: Locked<State>
  private let owner = Locked(WeakLayer())

  private struct WeakLayer: Sendable { weak var layer: RenderLayer? }

  init(
    _ state: State, on renderer: Renderer, label: String = "layer",
    task: @escaping @Sendable (RenderLayer) -> DisplayTask
  ) {
    self.state = Locked(state)
    self.renderer = renderer
    self.label = label
    trace = LayerTrace(label, of: renderer)
    makeTask = task
  }

  /// The layer, unless it was released.
  private(set) var layer: RenderLayer? {
    get { owner.withLock { $0.layer } }
    set { owner.withLock { $0.layer = newValue } }
  }

  func adopt(_ layer: RenderLayer) { self.layer = layer }

  func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
    state.withLock { body($0) }
  }

  /// Decides under the lock, and carries out the effects after unlocking.
  @discardableResult
  func update<Result: Sendable>(_ body: (inout State, inout State.Effects) -> Result) -> Result {
    let (result, effects) = decide(body)
    effects.interrupted?.cancellation.cancel()
    perform(effects)
    return result
  }

  /// Notes that the layer was released. Code that releases the layer may hold a lock, so
  /// cancellation handlers are called on another thread.
  func vanish() {
    let (_, effects) = decide { state, effects in state.vanish(&effects) }
    if let interrupted = effects.interrupted {
      renderer.runtime.pool.schedule { interrupted.cancellation.cancel() }
    }
    perform(effects)
    read(\.contentsUpdates)?.finish()
  }

  private func decide<Result: Sendable>(
    _ body: (inout State, inout State.Effects) -> Result
  ) -> (Result, State.Effects) {
    state.withLock { state in
      var effects = State.Effects()
      let result = body(&state, &effects)
      state.settle(&effects)
      if effects.hasMetrics {
        state.metrics += effects.metrics
        // Added before a handler runs, since the handler could read the metrics.
        renderer.add(effects.metrics)
      }
      return (result, effects)
    }
  }

  private func perform(_ effects: State.Effects) {
    if effects.entersPass { renderer.enter(self) }
    effects.interrupted?.leaveRound()
    effects.ended?.endWaiting()
    if !effects.calls.isEmpty {
      let calls = effects.calls
      renderer.loopQueue.schedule { for (handler, result) in calls { handler(result) } }
    }
    if let released = effects.released { renderer.release(released) }
  }

  // MARK: On the main lane

  /// Called when the display pass has reached the layer.
  func display(in pass: DisplayPass) {
    // Retained while it is displayed, so that `willDisplay` and the drawing get the layer.
    guard let layer else { return vanish() }
    display(layer, in: pass) { $0.beginInPass(&$1) }
  }

  /// - Parameters:
  ///   - pass: the pass in which other layers of its group are displayed with it.
  ///   - begin: decides what starts, if anything.
  func display(
    _ layer: RenderLayer, in pass: DisplayPass? = nil,
    begin: (inout State, inout State.Effects) -> State.Beginning
  ) {
    switch update(begin) {
    case .nothing: return
    case .synchronous(let request, let number): displaySynchronously(layer, request, number)
    case .asynchronous(let number): prepare(layer, number, pass)
    }
    update { state, _ in state.leaveStack() }
  }

  private func prepare(_ layer: RenderLayer, _ number: UInt64, _ pass: DisplayPass?) {
    let task = makeTask(layer)
    let recording = trace?.begin(number)
    task.willDisplay?(layer)
    let round = pass.flatMap { pass in read(\.group).map { pass.round(of: $0) } }
    let capture = update { state, _ in
      state.capture(number, draws: task.display != nil) { value, look in
        Drawing(
          number, task, look, of: layer, self, since: value, in: round, recordedBy: recording)
      }
    }
    switch capture {
    case .draw(let drawing):
      let priority = read(\.priority)
      renderer.enqueue(drawing, at: priority)
      // If the priority changed meanwhile, the change could not reach the drawing, which was not yet in its lane.
      let latest = read(\.priority)
      if latest != priority { renderer.lanes.reprioritize(drawing, to: latest) }
    case .clear:
      clear(layer, task, recording) { state, effects in
        state.present(number, .success(nil), &effects)
      }
    case .cancelled:
      recording?.drew(nil)
      recording?.ended(.cancelled, read(\.metrics))
      task.didDisplay?(layer, false)
    }
  }

  /// Ends a display that has nothing to draw.
  private func clear(
    _ layer: RenderLayer, _ task: DisplayTask, _ recording: DisplayTrace?,
    _ show: (inout State, inout State.Effects) -> State.Ending
  ) {
    recording?.started()
    recording?.drew(.success(()))
    conclude(layer, task, recording, show)
  }

  private func displaySynchronously(_ layer: RenderLayer, _ request: UInt64, _ number: UInt64) {
    let task = makeTask(layer)
    let recording = trace?.begin(number)
    task.willDisplay?(layer)
    let look = read(\.look)
    guard let display = task.display, !look.isEmpty else {
      return clear(layer, task, recording) { state, effects in
        state.conclude(request, .success(nil), .zero, &effects)
      }
    }
    let runtime = renderer.runtime
    let start = runtime.now
    // A synchronous display is never cancelled, so there is an outcome.
    guard let outcome = Drawing.render(look, display, .never, recording) else { return }
    let duration = start.duration(to: runtime.now)
    update { state, effects in state.noteDrawing(duration, &effects) }
    conclude(layer, task, recording) { state, effects in
      state.conclude(request, outcome.map { $0 }, duration, &effects)
    }
  }

  private func conclude(
    _ layer: RenderLayer, _ task: DisplayTask, _ recording: DisplayTrace?,
    _ show: (inout State, inout State.Effects) -> State.Ending
  ) {
    let ending = update(show)
    if ending.isFinished { notifyContents() }
    reportFailure(ending)
    recording?.ended(ending.end, read(\.metrics))
    task.didDisplay?(layer, ending.isFinished)
    ending.notify()
  }

  /// Reports that the contents have changed.
  func notifyContents() {
    let (handler, updates, contents) = read {
      ($0.onContentsChange, $0.contentsUpdates, $0.contents)
    }
    handler?(contents)
    updates?.send(contents)
  }

  /// A sequence of the contents, now and after each change.
  func contentsUpdates() -> AsyncStream<Picture?> {
    let updates = update { state, _ in
      let updates = state.contentsUpdates ?? Broadcast()
      state.contentsUpdates = updates
      return updates
    }
    return updates.states { (read(\.contents), nil) }
  }

  /// Reports that a display has failed. Code on another lane may be about to wait for this display, so a missing
  /// handler is reported one job later.
  func reportFailure(_ ending: State.Ending) {
    guard let error = ending.error else { return }
    if let handler = read(\.onFailure) { return handler(error) }
    guard ending.calls.isEmpty else { return }
    let span = trace?.span ?? LaneContext.current.span
    renderer.loopQueue.schedule { [self] in
      guard read(\.reportedFailures) < ending.failure else { return }
      renderer.runtime.misuse(
        "failed-display",
        "“\(label)” could not be drawn, and no handler was set: \(error); set onFailure, or wait with displayed()",
        of: span)
    }
  }

  /// Clears the contents of displays up to `last`. Called on the loop.
  func clearContents(since last: UInt64) {
    let hasChanged = update { state, effects in state.clearContents(since: last, &effects) }
    if hasChanged { notifyContents() }
  }
}

extension RenderLayerStorage {
  /// Sets a property that may hold an object of the user. The old value is released after unlocking.
  func exchange<Value: Sendable>(
    _ property: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) {
    let old = update { state, _ in
      defer { state[keyPath: property] = value }
      return state[keyPath: property]
    }
    withExtendedLifetime(old) {}
  }

  func setPriority(_ priority: Priority) {
    let waiting = update { state, _ -> Drawing? in
      state.priority = priority
      return state.current?.phase == .queued ? state.current?.drawing : nil
    }
    if let waiting { renderer.lanes.reprioritize(waiting, to: priority) }
  }
}
