import AsyncPatterns
import AsyncRender
import RunLoopTransaction

/// A label as in YYAsyncLayer's example: a change commits a transaction, which requests a display of the layer.
final class YYLabel: RowLabel {
  let layer: YYLayer
  private let layout: Locked<TextLayout>
  private let transactions: TransactionQueue

  init(
    _ layout: TextLayout, _ queues: YYQueues, displays: RowDisplays,
    transactions: TransactionQueue, isPresent: @escaping @Sendable () -> Bool
  ) {
    let layout = Locked(layout)
    self.layout = layout
    self.transactions = transactions
    layer = YYLayer(
      queues, size: PostDrawing.textFrame.size, isOpaque: false, isPresent: isPresent
    ) { displays.text(layout.withLock { $0 }) }
  }

  var shownBy: any RowLayer { layer }

  var text: String {
    get { layout.withLock { $0.text } }
    set {
      layout.withLock { $0.text = newValue }
      Transaction(self, "contents") { $0.layer.invalidate() }.commit(to: transactions)
    }
  }
}
