import AsyncPatterns
import AsyncRender

/// A layer in the way of YYAsyncLayer (ibireme, 2015), as it stands in so many applications.
///
/// Two things are lost here. A display that is cancelled before its queue comes to it returns, and nobody calls
/// `didDisplay`. And the block in the queue holds the layer, so that the drawing of a row that has gone is not
/// cancelled at all: it keeps its place in the queue, and those on the screen wait behind it.
final class YYLayer: RowLayer {
  private struct State: Sendable {
    var contents: Picture?
    var opacity = 1.0
    /// What Core Animation keeps: that it is to be displayed at the end of the turn.
    var isMarked = false
  }

  private let state = Locked(State())
  private let sentinel = Sentinel()
  private let queues: YYQueues
  private let size: Size
  private let isOpaque: Bool
  private let isPresent: @Sendable () -> Bool
  private let makeTask: @Sendable () -> RowTask

  /// - Parameters:
  ///   - isPresent: whether its row is in view.
  ///   - makeTask: the delegate's.
  init(
    _ queues: YYQueues, size: Size, isOpaque: Bool, isPresent: @escaping @Sendable () -> Bool,
    _ makeTask: @escaping @Sendable () -> RowTask
  ) {
    self.queues = queues
    self.size = size
    self.isOpaque = isOpaque
    self.isPresent = isPresent
    self.makeTask = makeTask
  }

  deinit { sentinel.increase() }

  var contents: Picture? { state.withLock { $0.contents } }
  var opacity: Double {
    get { state.withLock { $0.opacity } }
    set { state.withLock { $0.opacity = newValue } }
  }
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

  func display() {
    state.withLock { $0.isMarked = false }
    let task = makeTask()
    task.willDisplay()
    let value = sentinel.value
    let isCancelled: @Sendable () -> Bool = { [sentinel] in sentinel.value != value }
    queues.next().schedule { [self] in
      // Lost: nobody is told.
      if isCancelled() { return }
      // Nothing to draw on, there is nothing to show; the end is told as any other.
      let canvas = try? Canvas(size: size, scale: PostDrawing.scale, isOpaque: isOpaque)
      if let canvas { task.display(canvas, isCancelled) }
      let picture = isCancelled() ? nil : try? canvas?.finish()
      queues.runtime.main.schedule { [self] in
        let isShown = picture != nil && !isCancelled()
        if isShown { state.withLock { $0.contents = picture } }
        queues.noteDrawn(isSeen: isShown && isPresent())
        task.didDisplay(isShown)
      }
    }
  }
}
