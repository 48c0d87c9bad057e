internal import AsyncRuntime
internal import Synchronization

/// A display on its way from the main lane to a drawing lane and back.
///
/// It holds the work to draw, but not the layer. Releasing the layer cancels the drawing.
final class Drawing: LaneDrawing {
  /// Distinguishes the drawing from others of the same layer.
  let number: UInt64
  let storage: RenderLayerStorage
  /// Notifies the handlers that the drawing is cancelled.
  let cancellation = Cancellation()
  /// The part of the task that has not been run.
  private let rest: Locked<DisplayTask>
  private let trace: DisplayTrace?
  private let look: RenderLayerState.Look
  private let isCancelled: DisplayCancellation
  private let round: DisplayRound?
  private weak let layer: RenderLayer?
  /// Whether its round no longer waits for it, because it was cancelled.
  private let hasLeftRound = Atomic<Bool>(false)

  /// - Parameters:
  ///   - value: the drawing is cancelled when the sentinel has a different value.
  ///   - round: the drawings that it is shown together with.
  ///   - trace: records the drawing.
  init(
    _ number: UInt64, _ task: DisplayTask, _ look: RenderLayerState.Look, of layer: RenderLayer?,
    _ storage: RenderLayerStorage, since value: RenderLayerState.SentinelValue,
    in round: DisplayRound?, recordedBy trace: DisplayTrace? = nil
  ) {
    self.number = number
    rest = Locked(DisplayTask(display: task.display, didDisplay: task.didDisplay))
    self.trace = trace
    self.look = look
    self.layer = layer
    self.storage = storage
    self.round = round
    isCancelled = DisplayCancellation(
      value.sentinel, since: value.value, notifying: cancellation)
    round?.join()
  }

  private var loop: LoopQueue { storage.renderer.loopQueue }

  /// Whether it is certain that there is nothing to draw.
  var isVoid: Bool { isCancelled() }

  // MARK: On a drawing lane

  func draw() {
    // If the drawing was cancelled while queued, its end has been reported.
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
    // The last drawing may have finished before this one scheduled its picture.
    if !isLast, renderer.isIdle { loop.flush() }
  }

  private func takeDisplay() -> DisplayTask.Display? {
    rest.withLock { rest in
      defer { rest.display = nil }
      return rest.display
    }
  }

  /// - Parameter trace: the span on behalf of which the code draws.
  /// - Returns: nil if the drawing was cancelled.
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

  /// Called when the drawing was cancelled while queued for a lane. Removes it from that lane.
  func endWaiting() {
    storage.renderer.lanes.forget(self)
    _ = storage.renderer.leave()
    trace?.drew(nil)
    endUnfinished()
  }

  /// Called when the drawing was cancelled. Reports this on the main lane, without waiting for the other drawings of
  /// its round.
  private func endUnfinished() {
    leaveRound()
    loop.schedule { [self] in report(layer, .cancelled) }
  }

  /// Called when the drawing was cancelled, even while it is drawn. The round then no longer waits for it.
  func leaveRound() {
    guard let round, !hasLeftRound.exchange(true, ordering: .acquiringAndReleasing) else { return }
    round.leave(on: loop)
  }

  // MARK: On the main lane

  /// Shows the picture.
  fileprivate func present(_ outcome: Result<Picture, DrawingError>) -> Drawn.Presentation {
    // Retain the layer from here on, so that `didDisplay` gets it if the display is shown.
    let layer = layer
    let ending = storage.update { state, effects in
      if layer == nil { state.vanish(&effects) }
      return state.present(number, outcome.map { $0 }, &effects)
    }
    return Drawn.Presentation(drawing: self, layer: layer, ending: ending)
  }

  /// Reports the end, and releases what the task captured even if the drawing itself is still referenced.
  fileprivate func report(_ layer: RenderLayer?, _ end: DisplayTrace.End) {
    let rest = rest.withLock { rest in
      defer { rest = DisplayTask(display: nil) }
      return rest
    }
    if let trace { trace.ended(end, storage.read(\.metrics)) }
    rest.didDisplay?(layer, end == .finished)
  }
}

/// A drawing that was drawn, and its outcome.
struct Drawn: Sendable {
  let drawing: Drawing
  let outcome: Result<Picture, DrawingError>

  fileprivate struct Presentation {
    let drawing: Drawing
    let layer: RenderLayer?
    let ending: RenderLayerState.Ending
  }

  /// Shows all drawings before it reports the end of any. Called on the main lane.
  static func present(_ drawn: [Drawn]) {
    let presentations = drawn.map { $0.drawing.present($0.outcome) }
    for presentation in presentations where presentation.ending.isFinished {
      presentation.drawing.storage.notifyContents()
    }
    for presentation in presentations {
      let drawing = presentation.drawing
      drawing.storage.reportFailure(presentation.ending)
      drawing.report(presentation.layer, presentation.ending.end)
      presentation.ending.notify()
    }
  }
}
