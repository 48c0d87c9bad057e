import AsyncPatterns
import AsyncRender
internal import Synchronization

/// A layer that reproduces the logic of YYAsyncLayer. It is a demonstration, not for use.
///
/// - If a display is cancelled before its queue reaches it, it returns without calling `didDisplay`.
/// - A synchronous display does not check the size: if the size is empty, the display block gets no canvas.
/// - The block in the queue holds the layer, so that a layer without other references is drawn to the end.
/// - The counter is increased atomically, but another lane can increase it between the check and the action. Then a
///   cancelled picture is shown.
///
/// `RenderLayer` has none of these faults. Unlike in the original, shared state is locked or atomic, so that no value
/// is torn. That does not make any decision atomic.
final class YYAsyncLayer: Sendable {
  /// The work of one display.
  struct DisplayTask: Sendable {
    var willDisplay: (@Sendable () -> Void)?
    var display: (@Sendable (Canvas?, Size, _ isCancelled: @Sendable () -> Bool) -> Void)?
    var didDisplay: (@Sendable (_ finished: Bool) -> Void)?
  }

  private struct State: Sendable {
    var size: Size
    var displaysAsynchronously = true
    var contents: Picture?
    /// Part of Core Animation's state: whether the layer will be displayed at the end of the turn.
    var isMarked = false
  }

  /// An action at the end of the turn, which runs once.
  private struct Registration: Sendable {
    var action: (any Cancellable)?
    var hasRun = false
  }

  private let state: Locked<State>
  private let sentinel = Sentinel()
  private let runtime: any Runtime
  private let queues: Queues
  private let releaseQueue: any Scheduler
  private let newAsyncDisplayTask: @Sendable () -> DisplayTask

  /// - Parameters:
  ///   - queues: the queues that all layers share.
  ///   - newAsyncDisplayTask: plays the part of the delegate. It is called on the main lane.
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

  /// Serial queues used in rotation: each display takes the next queue, whichever layer it belongs to.
  final class Queues: Sendable {
    private let queues: [any Scheduler]
    private let turn = Atomic<UInt32>(0)

    init(_ queues: [any Scheduler]) { self.queues = queues }

    /// As many queues as the runtime has workers, and at most 16.
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

  /// Whether a display was requested and has not started.
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
    // This plays the part of Core Animation, which holds the layer until the end of the turn. The turn may end before
    // `action` is stored.
    let registration = Locked(Registration())
    let origin = LaneContext.current.origin(on: runtime.main)
    let action = runtime.atEndOfTurn(order: Renderer.displayOrder) { [self] in
      let action = registration.withLock { registration in
        registration.hasRun = true
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
    let hasRun = registration.withLock { registration in
      if !registration.hasRun { registration.action = action }
      return registration.hasRun
    }
    if hasRun { action.cancel() } else { runtime.wakeMain() }
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
      // The fault: the end of the display is never reported.
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
          // Another lane may cancel the display at this point.
          if runtime.choose(2) == 1 { runtime.work(for: .zero) }
          show(image)
          task.didDisplay?(true)
        }
      }
    }
  }
}
