import AsyncRender

/// What shows a row, in each of the ways.
protocol RowLayer: AnyObject, Sendable {
  var contents: Picture? { get }
  /// Whether it has been asked for a display that has not begun.
  var needsDisplay: Bool { get }
  /// Has it displayed at the end of the turn.
  func invalidate()
}

/// What a row does for one display.
struct RowTask: Sendable {
  /// On the main lane.
  var willDisplay: @Sendable () -> Void
  /// Wherever it is drawn.
  var display: @Sendable (Canvas, _ isCancelled: () -> Bool) -> Void
  /// On the main lane.
  var didDisplay: @Sendable (_ finished: Bool) -> Void
}

/// What the layers of all rows have in common.
protocol RowLayers: Sendable {
  /// A layer for a row, which asks for a task each time it is displayed.
  func make(_ task: @escaping @Sendable () -> RowTask) -> any RowLayer
  /// Whether each `willDisplay` is followed by a `didDisplay`.
  var tellEveryEnd: Bool { get }
  /// Calls `body` on the main lane when nothing is drawn any more of what has been asked for.
  func whenDrained(_ body: @escaping @Sendable () -> Void)
}

extension RenderLayer: RowLayer {
  func invalidate() { setNeedsDisplay() }
}

/// Layers of this library.
struct RenderedRows: RowLayers {
  let renderer: Renderer
  /// Whether they are drawn off the main lane.
  let isAsynchronous: Bool

  func make(_ task: @escaping @Sendable () -> RowTask) -> any RowLayer {
    RenderLayer(
      size: PostDrawing.size, scale: PostDrawing.scale, isOpaque: true,
      displaysAsynchronously: isAsynchronous, renderer: renderer
    ) { _ in
      let task = task()
      return DisplayTask(
        display: { canvas, _, isCancelled in task.display(canvas, { isCancelled() }) },
        willDisplay: { _ in task.willDisplay() },
        didDisplay: { _, finished in task.didDisplay(finished) })
    }
  }

  var tellEveryEnd: Bool { true }

  func whenDrained(_ body: @escaping @Sendable () -> Void) { renderer.runtime.main.schedule(body) }
}
