import AsyncPatterns
import AsyncRender
import RunLoopTransaction

/// A screen with a list that is flung: the list moves frame by frame, until it stops and all rows in view are shown.
final class Screen: Sendable {
  let list: ListView
  let clock: FrameClock
  let tally: Tally
  let layers: any RowLayers

  private let fling: Fling
  private let setupCost: Duration
  private let runtime: any Runtime
  private let scope: Scope
  private let isDraining = Locked(false)
  private let observer = Locked<(any Cancellable)?>(nil)
  private let onEnd: Locked<(@Sendable (Screen) -> Void)?>

  /// - Parameters:
  ///   - costs: the costs on a virtual clock.
  ///   - onEnd: called once on the main lane, when all rows are shown or the scope is cancelled.
  init(
    _ settings: ScrollSettings, costs: ScrollCosts, fonts: PostDrawing.Fonts, in scope: Scope,
    onEnd: @escaping @Sendable (Screen) -> Void
  ) {
    self.scope = scope
    setupCost = costs.setup
    self.onEnd = Locked(onEnd)
    let runtime = scope.runtime
    self.runtime = runtime
    let tally = Tally(runtime)
    self.tally = tally
    let displays = RowDisplays(runtime: runtime, tally: tally, fonts: fonts, costs: costs.drawing)
    let transactions = TransactionQueue("rows", runtime: runtime)
    layers = settings.layers(displays, transactions)
    list = ListView(
      (0..<settings.rows).map(Post.init(at:)), height: settings.height,
      textOpacity: settings.textOpacity, layers: layers, displays: displays,
      transactions: transactions)
    fling = Fling(
      distance: list.farthest, duration: settings.duration, decay: settings.decay)
    clock = FrameClock(for: settings.duration, on: runtime.main, watching: tally.main)
  }

  /// Call it on the main lane.
  func begin() {
    let action = runtime.atEndOfTurn(order: .max) { [weak self] in self?.turnEnded() }
    observer.withLock { $0 = action }
    clock.begin { [weak self] frame in self?.show(frame) }
  }

  private func show(_ frame: Int) {
    tally.main.enter()
    for row in list.rows where !row.isVisible && row.markLate() { tally.noteLate() }
    let offset = fling.offset(after: FrameClock.due(frame + 1))
    let coming = list.scroll(to: offset, in: frame)
    if runtime.clockKind == .virtual { runtime.work(for: setupCost * coming) }
    scope.counter("offset", offset)
    recordFigures()
  }

  private func recordFigures() {
    let counts = tally.counts
    scope.counter("frames missed", Double(clock.missed))
    scope.counter("rows late", Double(counts.late))
    scope.counter("drawings wasted", Double(layers.drawings.wasted))
  }

  private func turnEnded() {
    tally.main.turnEnded()
    guard clock.isFinished, list.isShown, !layers.isBusy else { return }
    let counts = tally.counts
    guard !layers.reportEveryEnd || counts.announced == counts.ended else { return }
    let isFirst = isDraining.withLock { isDraining in
      defer { isDraining = true }
      return !isDraining
    }
    if isFirst { layers.whenDrained { [self] in end() } }
  }

  /// Ends the fling, calls `onEnd`, and releases all rows. Call it on the main lane.
  func end() {
    clock.stop()
    observer.withLock { $0 }?.cancel()
    let onEnd = onEnd.withLock { onEnd in
      defer { onEnd = nil }
      return onEnd
    }
    guard let onEnd else { return }
    recordFigures()
    onEnd(self)
    list.clear()
  }
}
