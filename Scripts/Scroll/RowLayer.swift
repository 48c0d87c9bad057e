import AsyncRender
import RunLoopTransaction

/// A layer that shows a part of a row, in one of the ways of drawing.
protocol RowLayer: AnyObject, Sendable {
  var contents: Picture? { get }
  /// The opacity, from 0 to 1. A change needs no display.
  var opacity: Double { get set }
  /// Whether a display was requested that has not started.
  var needsDisplay: Bool { get }
  /// Requests a display at the end of the turn.
  func invalidate()
}

/// A text, and the layer that shows it.
protocol RowLabel: AnyObject, Sendable {
  /// Setting it commits a transaction, which requests a display.
  var text: String { get set }
  var shownBy: any RowLayer { get }
}

/// The work of a row for one display. Each comment names the lane on which the function is called.
struct RowTask: Sendable {
  /// On the main lane.
  var willDisplay: @Sendable () -> Void
  /// On the lane that draws it.
  var display: @Sendable (Canvas, _ isCancelled: () -> Bool) -> Void
  /// On the main lane.
  var didDisplay: @Sendable (_ finished: Bool) -> Void
}

/// The contents of a row: a card, and the text on it.
struct RowContent: Sendable {
  /// Called for each display of the card.
  var card: @Sendable () -> RowTask
  /// The layout of the label, without text. The text is set in the label before the label is displayed.
  var text: TextLayout
  /// Whether the row is in view.
  var isPresent: @Sendable () -> Bool
}

/// The number of drawings.
struct DrawingCounts: Sendable {
  var started = 0
  /// The drawings that were never shown.
  var wasted = 0
}

/// The common part of the layers of all rows.
protocol RowLayers: Sendable {
  func make(_ content: RowContent) -> (card: any RowLayer, label: any RowLabel)
  var drawings: DrawingCounts { get }
  /// Whether each `willDisplay` is followed by a `didDisplay`.
  var reportEveryEnd: Bool { get }
  /// Whether a drawing is in progress, if that is known.
  var isBusy: Bool { get }
  /// Calls `body` on the main lane when all requested drawings have ended.
  func whenDrained(_ body: @escaping @Sendable () -> Void)
}

extension RenderLayer: RowLayer {
  func invalidate() { setNeedsDisplay() }
}

extension TextLabel: RowLabel {
  var shownBy: any RowLayer { layer }
}

/// Layers and labels of this library. Parts of a row that are drawn together are shown together.
struct RenderedRows: RowLayers {
  let renderer: Renderer
  /// Whether they are drawn off the main lane.
  let isAsynchronous: Bool
  let displays: RowDisplays
  let transactions: TransactionQueue

  func make(_ content: RowContent) -> (card: any RowLayer, label: any RowLabel) {
    let card = RenderLayer(
      size: PostDrawing.size, scale: PostDrawing.scale, isOpaque: true,
      displaysAsynchronously: isAsynchronous, renderer: renderer
    ) { _ in
      let task = content.card()
      return DisplayTask(
        display: { canvas, _, isCancelled in task.display(canvas, { isCancelled() }) },
        willDisplay: { _ in task.willDisplay() },
        didDisplay: { _, finished in task.didDisplay(finished) })
    }
    let label = TextLabel(
      content.text, color: .black, size: PostDrawing.textFrame.size, scale: PostDrawing.scale,
      renderer: renderer, lineCost: displays.costs.text / PostDrawing.lineCount
    ) { [transactions] label, update in
      Transaction(label, "contents") { _ in update() }.commit(to: transactions)
    }
    label.layer.displaysAsynchronously = isAsynchronous
    label.layer.onContentsChange = { [displays, weak layer = label.layer] _ in
      displays.tally.main.enter()
      // The text is drawn completely only once, and the longest drawing is that one.
      if let layer { displays.tally.note(layer.metrics.longestDrawing, of: .text) }
    }
    _ = DisplayGroup([card, label.layer])
    return (card, label)
  }

  var drawings: DrawingCounts {
    let metrics = renderer.metrics
    let wasted =
      metrics.cancelledWhileDrawing + metrics.cancelledAfterDrawing + metrics.failed
    return DrawingCounts(started: metrics.drawn + wasted, wasted: wasted)
  }

  var reportEveryEnd: Bool { true }
  var isBusy: Bool { renderer.metrics.underWay > 0 }

  func whenDrained(_ body: @escaping @Sendable () -> Void) { renderer.runtime.main.schedule(body) }
}
