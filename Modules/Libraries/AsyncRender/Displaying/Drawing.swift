internal import AsyncRuntime

/// A display on its way from the main lane to a drawing lane and back.
///
/// It holds what is to be drawn, and not the layer: one that has gone cancels its drawing.
final class Drawing: LaneDrawing {
  /// Tells it from the others of its layer.
  let number: UInt64
  let storage: RenderLayerStorage
  /// Those who want to be told that it is cancelled.
  let cancellation = Cancellation()
  /// What is still to be done of its task.
  private let rest: Locked<DisplayTask>
  private let trace: DisplayTrace?
  private let look: RenderLayerState.Look
  private let isCancelled: DisplayCancellation
  private let round: DisplayRound?
  private weak let layer: RenderLayer?

  /// - Parameters:
  ///   - value: it is cancelled when the sentinel has another one.
  ///   - round: what it is to be shown with.
  ///   - trace: what it tells of itself.
  init(
    _ number: UInt64, _ task: DisplayTask, _ look: RenderLayerState.Look, of layer: RenderLayer?,
    _ storage: RenderLayerStorage, since value: RenderLayerState.SentinelValue,
    in round: DisplayRound?, told trace: DisplayTrace? = nil
  ) {
    self.number = number
    rest = Locked(DisplayTask(display: task.display, didDisplay: task.didDisplay))
    self.trace = trace
    self.look = look
    self.layer = layer
    self.storage = storage
    self.round = round
    isCancelled = DisplayCancellation(
      value.sentinel, since: value.value, telling: cancellation)
    round?.join()
  }

  private var loop: LoopQueue { storage.renderer.loopQueue }

  /// Whether it is certain that there is nothing to draw.
  var isVoid: Bool { isCancelled() }

  // MARK: On a drawing lane

  func draw() {
    // Cancelled while it waited: its end has been told.
    guard storage.update({ state, _ in state.start(number) }), let display = takeDisplay() else {
      return
    }
    let renderer = storage.renderer
    renderer.releaseQueue.beginDrawing()
    defer { renderer.releaseQueue.endDrawing() }
    let start = renderer.runtime.now
    let outcome = Self.render(look, display, isCancelled, trace)
    let duration = start.duration(to: renderer.runtime.now)
    let isWanted = storage.update { state, effects in state.drew(number, for: duration, &effects) }
    let isLast = renderer.leave()
    guard isWanted, let outcome else { return endUnfinished() }
    let drawn = Drawn(drawing: self, outcome: outcome)
    if let round {
      round.arrive(drawn, on: loop, canWait: !isLast)
    } else {
      loop.schedule(canWait: !isLast) { Drawn.present([drawn]) }
    }
    // The last may have been faster than this.
    if !isLast, renderer.isIdle { loop.flush() }
  }

  private func takeDisplay() -> DisplayTask.Display? {
    rest.withLock { rest in
      defer { rest.display = nil }
      return rest.display
    }
  }

  /// - Parameter trace: on behalf of which it is drawn.
  /// - Returns: nil if it was cancelled.
  static func render(
    _ look: RenderLayerState.Look, _ display: DisplayTask.Display,
    _ isCancelled: DisplayCancellation, _ trace: DisplayTrace?
  ) -> Result<Picture, DrawingError>? {
    guard let trace else { return render(look, display, isCancelled) }
    trace.started()
    var outcome: Result<Picture, DrawingError>?
    LaneContext.current.perform(for: trace.span) {
      outcome = render(look, display, isCancelled)
    }
    trace.drew(outcome.map { $0.map { _ in } })
    return outcome
  }

  private static func render(
    _ look: RenderLayerState.Look, _ display: DisplayTask.Display,
    _ isCancelled: DisplayCancellation
  ) -> Result<Picture, DrawingError>? {
    do throws(DrawingError) {
      let canvas = try Canvas(size: look.size, scale: look.scale, isOpaque: look.isOpaque)
      display(canvas, look.size, isCancelled)
      return isCancelled() ? nil : .success(try canvas.finish())
    } catch {
      return .failure(error)
    }
  }

  /// It has been cancelled while it waited for a lane, which has nothing to do with it any more.
  func endWaiting() {
    storage.renderer.lanes.forget(self)
    _ = storage.renderer.leave()
    trace?.drew(nil)
    endUnfinished()
  }

  /// It has been cancelled: tells so on the main lane, without waiting for those it was to be shown with.
  private func endUnfinished() {
    round?.leave(on: loop)
    loop.schedule { [self] in tell(layer, .cancelled) }
  }

  // MARK: On the main lane

  /// Has what was drawn shown.
  fileprivate func present(_ outcome: Result<Picture, DrawingError>) -> Drawn.Presentation {
    // Held from here on, so that the end of a display that is shown finds its layer.
    let layer = layer
    let ending = storage.update { state, effects in
      if layer == nil { state.vanish(&effects) }
      return state.present(number, outcome.map { $0 }, &effects)
    }
    return Drawn.Presentation(drawing: self, layer: layer, ending: ending)
  }

  /// Tells of its end, and lets go of what its task has captured, whoever still holds the drawing itself.
  fileprivate func tell(_ layer: RenderLayer?, _ end: DisplayTrace.End) {
    let rest = rest.withLock { rest in
      defer { rest = DisplayTask(display: nil) }
      return rest
    }
    if let trace { trace.ended(end, storage.read(\.figures)) }
    rest.didDisplay?(layer, end == .finished)
  }
}

/// A drawing that has been drawn.
struct Drawn: Sendable {
  let drawing: Drawing
  let outcome: Result<Picture, DrawingError>

  fileprivate struct Presentation {
    let drawing: Drawing
    let layer: RenderLayer?
    let ending: RenderLayerState.Ending
  }

  /// Shows all of them before anybody is told of one. On the main lane.
  static func present(_ drawn: [Drawn]) {
    let presentations = drawn.map { $0.drawing.present($0.outcome) }
    for presentation in presentations where presentation.ending.isFinished {
      presentation.drawing.storage.tellContents()
    }
    for presentation in presentations {
      let drawing = presentation.drawing
      drawing.storage.tellFailure(presentation.ending)
      drawing.tell(presentation.layer, presentation.ending.end)
      presentation.ending.tell()
    }
  }
}
