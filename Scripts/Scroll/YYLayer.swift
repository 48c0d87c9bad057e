import AsyncRender

/// A layer in the way of YYAsyncLayer (ibireme, 2015), as it stands in so many applications.
///
/// Two things are lost here. A display that is cancelled before its queue comes to it returns, and nobody calls
/// `didDisplay`. And the block in the queue holds the layer, so that the drawing of a row that has gone is not
/// cancelled at all: it keeps its place in the queue, and those on the screen wait behind it.
final class YYLayer: RowLayer {
  private struct State: Sendable {
    var contents: Picture?
    /// What Core Animation keeps: that it is to be displayed at the end of the turn.
    var isMarked = false
  }

  private let state = Locked(State())
  private let sentinel = Sentinel()
  private let queues: YYQueues
  private let makeTask: @Sendable () -> RowTask

  init(_ queues: YYQueues, _ makeTask: @escaping @Sendable () -> RowTask) {
    self.queues = queues
    self.makeTask = makeTask
  }

  deinit { sentinel.increase() }

  var contents: Picture? { state.withLock { $0.contents } }
  var needsDisplay: Bool { state.withLock { $0.isMarked } }

  /// `setNeedsDisplay`: cancels what is under way, and Core Animation calls `display` at the end of the turn.
  func invalidate() {
    sentinel.increase()
    let isFirst = state.withLock { state in
      defer { state.isMarked = true }
      return !state.isMarked
    }
    if isFirst { queues.displayAtEndOfTurn(self) }
  }

  fileprivate func display() {
    state.withLock { $0.isMarked = false }
    let task = makeTask()
    task.willDisplay()
    let value = sentinel.value
    let isCancelled: @Sendable () -> Bool = { [sentinel] in sentinel.value != value }
    queues.next().schedule { [self] in
      // Lost: nobody is told.
      if isCancelled() { return }
      let canvas = try? Canvas(size: PostDrawing.size, scale: PostDrawing.scale, isOpaque: true)
      guard let canvas else { return }
      task.display(canvas, isCancelled)
      let picture = isCancelled() ? nil : try? canvas.finish()
      queues.runtime.main.schedule { [self] in
        let isShown = picture != nil && !isCancelled()
        if isShown { state.withLock { $0.contents = picture } }
        task.didDisplay(isShown)
      }
    }
  }
}

/// The display queues of all such layers, which take turns.
final class YYQueues: RowLayers {
  let runtime: any Runtime
  private let queues: [any Scheduler]
  private let turn = Locked(0)
  private let marked = Locked<[YYLayer]>([])

  init(_ count: Int, on runtime: any Runtime) {
    self.runtime = runtime
    queues = (0..<count).map { _ in runtime.serial("com.ibireme.yykit.render") }
  }

  func make(_ task: @escaping @Sendable () -> RowTask) -> any RowLayer { YYLayer(self, task) }

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

  var tellEveryEnd: Bool { false }

  func whenDrained(_ body: @escaping @Sendable () -> Void) { passThrough(queues[...], body) }

  /// Behind all that waits in one queue after another.
  private func passThrough(
    _ queues: ArraySlice<any Scheduler>, _ body: @escaping @Sendable () -> Void
  ) {
    guard let first = queues.first else { return runtime.main.schedule(body) }
    first.schedule { [self] in passThrough(queues.dropFirst(), body) }
  }
}
