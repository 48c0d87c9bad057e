import AsyncRender
import RunLoopTransaction

/// What shows a part of a row, in each of the ways.
protocol RowLayer: AnyObject, Sendable {
  var contents: Picture? { get }
  /// How much it hides of what it is laid on, from 0 to 1; another one needs no display.
  var opacity: Double { get set }
  /// Whether it has been asked for a display that has not begun.
  var needsDisplay: Bool { get }
  /// Has it displayed at the end of the turn.
  func invalidate()
}

/// A text, and the layer that shows it.
protocol RowLabel: AnyObject, Sendable {
  /// Set, it commits a transaction, which has it displayed.
  var text: String { get set }
  var shownBy: any RowLayer { get }
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

/// What there is to show of a row: a card, and on it the text.
struct RowContent: Sendable {
  /// Asked for each time the card is displayed.
  var card: @Sendable () -> RowTask
  /// Set in the label before it is displayed; until then it is empty.
  var text: TextLayout
  /// Whether the row is in view.
  var isPresent: @Sendable () -> Bool
}

/// How often something was drawn.
struct DrawingCounts: Sendable {
  var begun = 0
  /// What nobody got to see.
  var wasted = 0
}

/// What the layers of all rows have in common.
protocol RowLayers: Sendable {
  func make(_ content: RowContent) -> (card: any RowLayer, label: any RowLabel)
  var drawings: DrawingCounts { get }
  /// Whether each `willDisplay` is followed by a `didDisplay`.
  var tellEveryEnd: Bool { get }
  /// Whether something is on its way to be shown, if that is known.
  var isBusy: Bool { get }
  /// Calls `body` on the main lane when nothing is drawn any more of what has been asked for.
  func whenDrained(_ body: @escaping @Sendable () -> Void)
}

extension RenderLayer: RowLayer {
  func invalidate() { setNeedsDisplay() }
}

extension TextLabel: RowLabel {
  var shownBy: any RowLayer { layer }
}

/// Layers and labels of this library. What is drawn of a row at once is shown at once.
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
      // It is drawn wholly for the first time.
      if let layer { displays.tally.note(layer.figures.longestDrawing, of: .text) }
    }
    _ = DisplayGroup([card, label.layer])
    return (card, label)
  }

  var drawings: DrawingCounts {
    let figures = renderer.figures
    let wasted =
      figures.cancelledWhileDrawing + figures.cancelledAfterDrawing + figures.failed
    return DrawingCounts(begun: figures.drawn + wasted, wasted: wasted)
  }

  var tellEveryEnd: Bool { true }
  var isBusy: Bool { renderer.figures.underWay > 0 }

  func whenDrained(_ body: @escaping @Sendable () -> Void) { renderer.runtime.main.schedule(body) }
}
