internal import AsyncRuntime

/// The lock and the effects of a layer: it does what the state decides, after the lock.
final class RenderLayerStorage: Sendable {
  typealias State = RenderLayerState

  let renderer: Renderer
  /// What reports call it.
  let label: String
  /// Nil if nobody listens.
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

  /// The layer, unless it has gone.
  private(set) var layer: RenderLayer? {
    get { owner.withLock { $0.layer } }
    set { owner.withLock { $0.layer = newValue } }
  }

  func adopt(_ layer: RenderLayer) { self.layer = layer }

  func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
    state.withLock { body($0) }
  }

  /// Decides under the lock, and does after it what is to be done.
  @discardableResult
  func update<Result: Sendable>(_ body: (inout State, inout State.Effects) -> Result) -> Result {
    let (result, effects) = decide(body)
    effects.interrupted?.cancellation.cancel()
    perform(effects)
    return result
  }

  /// Nobody holds the layer any more. Somebody's lock may be held where the last reference goes, so whoever
  /// wants to be told is told elsewhere.
  func vanish() {
    let (_, effects) = decide { state, effects in state.vanish(&effects) }
    if let interrupted = effects.interrupted {
      renderer.runtime.pool.schedule { interrupted.cancellation.cancel() }
    }
    perform(effects)
  }

  private func decide<Result: Sendable>(
    _ body: (inout State, inout State.Effects) -> Result
  ) -> (Result, State.Effects) {
    state.withLock { state in
      var effects = State.Effects()
      let result = body(&state, &effects)
      state.settle(&effects)
      if effects.hasFigures {
        state.figures += effects.figures
        // Before anybody can be told what it counts.
        renderer.add(effects.figures)
      }
      return (result, effects)
    }
  }

  private func perform(_ effects: State.Effects) {
    if effects.entersPass { renderer.enter(self) }
    effects.ended?.endWaiting()
    if !effects.told.isEmpty {
      let told = effects.told
      renderer.loopQueue.schedule { for (listener, result) in told { listener(result) } }
    }
    if let released = effects.released { renderer.release(released) }
  }

  // MARK: On the main lane

  /// Its turn in the display pass has come.
  func display(in pass: DisplayPass) {
    // Held while it is displayed: what begins finds its layer.
    guard let layer else { return vanish() }
    display(layer, in: pass) { $0.beginInPass(&$1) }
  }

  /// - Parameters:
  ///   - pass: in which those of its group are displayed with it.
  ///   - begin: what begins, if something does.
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
    let told = trace?.begin(number)
    task.willDisplay?(layer)
    let round = pass.flatMap { pass in read(\.group).map { pass.round(of: $0) } }
    let capture = update { state, _ in
      state.capture(number, draws: task.display != nil) { value, look in
        Drawing(number, task, look, of: layer, self, since: value, in: round, told: told)
      }
    }
    switch capture {
    case .draw(let drawing):
      let priority = read(\.priority)
      renderer.enqueue(drawing, at: priority)
      // Who has changed it meanwhile found nothing to move.
      let latest = read(\.priority)
      if latest != priority { renderer.lanes.reprioritize(drawing, to: latest) }
    case .clear:
      clear(layer, task, told) { state, effects in state.present(number, .success(nil), &effects) }
    case .cancelled:
      told?.drew(nil)
      told?.ended(.cancelled, read(\.figures))
      task.didDisplay?(layer, false)
    }
  }

  /// There is nothing to draw.
  private func clear(
    _ layer: RenderLayer, _ task: DisplayTask, _ told: DisplayTrace?,
    _ show: (inout State, inout State.Effects) -> State.Ending
  ) {
    told?.started()
    told?.drew(.success(()))
    conclude(layer, task, told, show)
  }

  private func displaySynchronously(_ layer: RenderLayer, _ request: UInt64, _ number: UInt64) {
    let task = makeTask(layer)
    let told = trace?.begin(number)
    task.willDisplay?(layer)
    let look = read(\.look)
    guard let display = task.display, !look.isEmpty else {
      return clear(layer, task, told) { state, effects in
        state.conclude(request, .success(nil), .zero, &effects)
      }
    }
    let runtime = renderer.runtime
    let start = runtime.now
    // Never cancelled, so there is an outcome.
    guard let outcome = Drawing.render(look, display, .never, told) else { return }
    let duration = start.duration(to: runtime.now)
    update { state, effects in state.noteDrawing(duration, &effects) }
    conclude(layer, task, told) { state, effects in
      state.conclude(request, outcome.map { $0 }, duration, &effects)
    }
  }

  private func conclude(
    _ layer: RenderLayer, _ task: DisplayTask, _ told: DisplayTrace?,
    _ show: (inout State, inout State.Effects) -> State.Ending
  ) {
    let ending = update(show)
    if ending.isFinished { tellContents() }
    tellFailure(ending)
    told?.ended(ending.end, read(\.figures))
    task.didDisplay?(layer, ending.isFinished)
    ending.tell()
  }

  /// The layer shows something else.
  func tellContents() {
    let (listener, contents) = read { ($0.onContentsChange, $0.contents) }
    listener?(contents)
  }

  /// A display has failed: somebody is to hear of it. Who has asked for it on another lane may be about to say that
  /// he waits, so that nobody does is reported one job later.
  func tellFailure(_ ending: State.Ending) {
    guard let error = ending.error else { return }
    if let listener = read(\.onFailure) { return listener(error) }
    guard ending.told.isEmpty else { return }
    let span = trace?.span ?? LaneContext.current.span
    renderer.loopQueue.schedule { [self] in
      guard read(\.heardFailures) < ending.failure else { return }
      renderer.runtime.misuse(
        "failed-display",
        "“\(label)” could not be drawn, and nobody was told: \(error); set onFailure, or wait with displayed()",
        of: span)
    }
  }

  /// Shows nothing of the displays up to one. On the loop.
  func clearContents(since last: UInt64) {
    let hasChanged = update { state, effects in state.clearContents(since: last, &effects) }
    if hasChanged { tellContents() }
  }
}

extension RenderLayerStorage {
  /// Sets what may hold something of a user's: the old one is let go of after the lock.
  func exchange<Value: Sendable>(
    _ property: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) {
    let old = update { state, _ in
      defer { state[keyPath: property] = value }
      return state[keyPath: property]
    }
    withExtendedLifetime(old) {}
  }

  func setPriority(_ priority: DisplayPriority) {
    let waiting = update { state, _ -> Drawing? in
      state.priority = priority
      return state.current?.phase == .queued ? state.current?.drawing : nil
    }
    if let waiting { renderer.lanes.reprioritize(waiting, to: priority) }
  }
}
