import AsyncPatterns
import AsyncRender
internal import Synchronization

/// A layer in the way of YYAsyncLayer, with its logic faithfully kept: a demonstration, not for use.
///
/// - Cancelled before its queue comes to it, a display returns, and nobody calls `didDisplay`.
/// - The synchronous way does not check the size: without any, the display block gets no canvas.
/// - The block in the queue holds the layer, so that a layer which nobody else holds is drawn to the end.
/// - The counter is increased atomically; but nothing keeps another lane from doing so between its being read and
///   what is done about it: what has been called off is shown.
///
/// `RenderLayer` has none of these faults. Unlike in the original what is shared is locked or atomic, so that no
/// memory is torn; that makes no decision whole.
final class YYAsyncLayer: Sendable {
  /// What to do for one display.
  struct DisplayTask: Sendable {
    var willDisplay: (@Sendable () -> Void)?
    var display: (@Sendable (Canvas?, Size, _ isCancelled: @Sendable () -> Bool) -> Void)?
    var didDisplay: (@Sendable (_ finished: Bool) -> Void)?
  }

  private struct State: Sendable {
    var size: Size
    var displaysAsynchronously = true
    var contents: Picture?
    /// What Core Animation keeps: that it is to be displayed at the end of the turn.
    var isMarked = false
  }

  /// What is to be done at the end of the turn, once.
  private struct Registration: Sendable {
    var action: (any Cancellable)?
    var isOver = false
  }

  private let state: Locked<State>
  private let sentinel = Sentinel()
  private let runtime: any Runtime
  private let queues: Queues
  private let releaseQueue: any Scheduler
  private let newAsyncDisplayTask: @Sendable () -> DisplayTask

  /// - Parameters:
  ///   - queues: those that all layers share.
  ///   - newAsyncDisplayTask: the delegate's, called on the main lane.
  init(
    size: Size, queues: Queues, runtime: any Runtime,
    newAsyncDisplayTask: @escaping @Sendable () -> DisplayTask
  ) {
    state = Locked(State(size: size))
    self.queues = queues
    self.runtime = runtime
    releaseQueue = runtime.serial("release")
    self.newAsyncDisplayTask = newAsyncDisplayTask
  }

  /// Serial queues, of which each display takes the next one, whichever layer's it is.
  final class Queues: Sendable {
    private let queues: [any Scheduler]
    private let turn = Atomic<UInt32>(0)

    init(_ queues: [any Scheduler]) { self.queues = queues }

    /// As many as the runtime has workers, and at most 16.
    convenience init(on runtime: any Runtime) {
      self.init(
        (0..<min(runtime.width, 16)).map { _ in runtime.serial("com.ibireme.yykit.render") })
    }

    var next: any Scheduler {
      let number = turn.wrappingAdd(1, ordering: .relaxed).newValue
      return queues[Int(number % UInt32(queues.count))]
    }
  }

  deinit { sentinel.increase() }

  var contents: Picture? { state.withLock { $0.contents } }

  /// Whether a display has been asked for that has not begun.
  var needsDisplay: Bool { state.withLock { $0.isMarked } }

  var size: Size {
    get { state.withLock { $0.size } }
    set { state.withLock { $0.size = newValue } }
  }

  var displaysAsynchronously: Bool {
    get { state.withLock { $0.displaysAsynchronously } }
    set { state.withLock { $0.displaysAsynchronously = newValue } }
  }

  func setNeedsDisplay() {
    sentinel.increase()
    let isFirst = state.withLock { state in
      defer { state.isMarked = true }
      return !state.isMarked
    }
    guard isFirst else { return }
    // Core Animation's part, which holds the layer until then. The turn may end before it is known what to cancel.
    let registration = Locked(Registration())
    let origin = LaneContext.current.origin(on: runtime.main)
    let action = runtime.atEndOfTurn(order: Renderer.displayOrder) { [self] in
      let action = registration.withLock { registration in
        registration.isOver = true
        defer { registration.action = nil }
        return registration.action
      }
      action?.cancel()
      let isMarked = state.withLock { state in
        defer { state.isMarked = false }
        return state.isMarked
      }
      guard isMarked else { return }
      LaneContext.current.perform(from: origin, on: runtime) {
        display(asynchronously: displaysAsynchronously)
      }
    }
    let isOver = registration.withLock { registration in
      if !registration.isOver { registration.action = action }
      return registration.isOver
    }
    if isOver { action.cancel() } else { runtime.wakeMain() }
  }

  private func show(_ picture: Picture?) { state.withLock { $0.contents = picture } }

  private func display(asynchronously: Bool) {
    let task = newAsyncDisplayTask()
    guard let display = task.display else {
      task.willDisplay?()
      show(nil)
      task.didDisplay?(true)
      return
    }
    if asynchronously {
      task.willDisplay?()
      displayAsynchronously(task, display)
    } else {
      sentinel.increase()
      task.willDisplay?()
      let canvas = try? Canvas(size: size)
      display(canvas, size) { false }
      show(try? canvas?.finish())
      task.didDisplay?(true)
    }
  }

  private func displayAsynchronously(
    _ task: DisplayTask,
    _ display: @escaping @Sendable (Canvas?, Size, @Sendable () -> Bool) -> Void
  ) {
    let value = sentinel.value
    let isCancelled: @Sendable () -> Bool = { [sentinel] in value != sentinel.value }
    let size = size
    if size.width < 1 || size.height < 1 {
      let image = contents
      show(nil)
      releaseQueue.schedule { withExtendedLifetime(image) {} }
      task.didDisplay?(true)
      return
    }
    let end: @Sendable (Bool) -> Void = { [runtime] finished in
      runtime.main.schedule { task.didDisplay?(finished) }
    }
    queues.next.schedule { [self] in
      // The fault: nothing more is heard of it.
      if isCancelled() { return }
      let canvas = try? Canvas(size: size)
      display(canvas, size, isCancelled)
      if isCancelled() { return end(false) }
      let image = try? canvas?.finish()
      if isCancelled() { return end(false) }
      runtime.main.schedule { [self] in
        if isCancelled() {
          task.didDisplay?(false)
        } else {
          // Here another lane may be calling it off.
          if runtime.choose(2) == 1 { runtime.work(for: .zero) }
          show(image)
          task.didDisplay?(true)
        }
      }
    }
  }
}
