import AsyncPatterns
import AsyncRender

/// A layer that works like YYAsyncLayer (ibireme, 2015), which many applications use.
///
/// It has two faults. A display that is cancelled before its queue reaches it returns without calling `didDisplay`. And
/// the block in the queue retains the layer, so the drawing of a row that has left is not cancelled. It stays in the
/// queue, and visible rows wait behind it.
final class YYLayer: RowLayer {
  private struct State: Sendable {
    var contents: Picture?
    var opacity = 1.0
    /// Part of Core Animation's state: whether the layer will be displayed at the end of the turn.
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
  ///   - makeTask: plays the part of the delegate.
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

  /// `setNeedsDisplay`: cancels the display in progress, and Core Animation calls `display` at the end of the turn.
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
      // The fault: the end of the display is never reported.
      if isCancelled() { return }
      // Without a canvas there is nothing to show, but the end is reported.
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
