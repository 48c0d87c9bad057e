import AsyncPatterns
import AsyncRender
import RunLoopTransaction

/// The display queues that all layers share, used in rotation.
final class YYQueues: RowLayers {
  let runtime: any Runtime
  private let queues: [any Scheduler]
  private let turn = Locked(0)
  private let counts = Locked(DrawingCounts())
  private let displays: RowDisplays
  private let transactions: TransactionQueue
  private let marked = Locked<[YYLayer]>([])

  init(_ count: Int, displays: RowDisplays, transactions: TransactionQueue) {
    let runtime = displays.runtime
    self.runtime = runtime
    self.displays = displays
    self.transactions = transactions
    queues = (0..<count).map { _ in runtime.serial("com.ibireme.yykit.render") }
  }

  func make(_ content: RowContent) -> (card: any RowLayer, label: any RowLabel) {
    let card = YYLayer(
      self, size: PostDrawing.size, isOpaque: true, isPresent: content.isPresent, content.card)
    let label = YYLabel(
      content.text, self, displays: displays, transactions: transactions,
      isPresent: content.isPresent)
    return (card, label)
  }

  /// Each display takes the next queue, whichever layer it belongs to.
  func next() -> any Scheduler {
    turn.withLock { turn in
      turn += 1
      return queues[turn % queues.count]
    }
  }

  /// Does the work of Core Animation: displays the marked layers at the point in the turn at which Core Animation
  /// commits its transaction.
  func displayAtEndOfTurn(_ layer: YYLayer) {
    let isFirst = marked.withLock { marked in
      marked.append(layer)
      return marked.count == 1
    }
    guard isFirst else { return }
    let registration = Locked<(any Cancellable)?>(nil)
    let action = runtime.atEndOfTurn(order: 2_000_000) { [self] in
      registration.withLock { $0 }?.cancel()
      let layers = marked.withLock { marked in
        defer { marked = [] }
        return marked
      }
      for layer in layers { layer.display() }
    }
    registration.withLock { $0 = action }
    runtime.wakeMain()
  }

  func noteDrawn(isSeen: Bool) {
    counts.withLock { counts in
      counts.started += 1
      if !isSeen { counts.wasted += 1 }
    }
  }

  var drawings: DrawingCounts { counts.withLock { $0 } }
  var reportEveryEnd: Bool { false }
  /// Always false, because its layers do not report whether they are busy.
  var isBusy: Bool { false }

  func whenDrained(_ body: @escaping @Sendable () -> Void) { passThrough(queues[...], body) }

  /// Waits for all drawings that are queued now, in one queue after another. Then calls `body`.
  private func passThrough(
    _ queues: ArraySlice<any Scheduler>, _ body: @escaping @Sendable () -> Void
  ) {
    guard let first = queues.first else { return runtime.main.schedule(body) }
    first.schedule { [self] in passThrough(queues.dropFirst(), body) }
  }
}
