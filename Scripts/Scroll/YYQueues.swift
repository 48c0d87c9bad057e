import AsyncPatterns
import AsyncRender
import RunLoopTransaction

/// The display queues of all such layers, which take turns.
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

  /// Each display goes to another queue, whichever layer's it is.
  func next() -> any Scheduler {
    turn.withLock { turn in
      turn += 1
      return queues[turn % queues.count]
    }
  }

  /// Core Animation's part: displays what is marked, where its own transaction is in the turn.
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
      counts.begun += 1
      if !isSeen { counts.wasted += 1 }
    }
  }

  var drawings: DrawingCounts { counts.withLock { $0 } }
  var tellEveryEnd: Bool { false }
  /// Its layers do not tell.
  var isBusy: Bool { false }

  func whenDrained(_ body: @escaping @Sendable () -> Void) { passThrough(queues[...], body) }

  /// Behind all that waits in one queue after another.
  private func passThrough(
    _ queues: ArraySlice<any Scheduler>, _ body: @escaping @Sendable () -> Void
  ) {
    guard let first = queues.first else { return runtime.main.schedule(body) }
    first.schedule { [self] in passThrough(queues.dropFirst(), body) }
  }
}
