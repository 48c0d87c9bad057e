internal import AsyncRuntime

/// Runs animations one after another, without nesting them in completions.
///
/// ```swift
/// let queue = SerialAnimationQueue()
/// queue.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }
/// queue.animate(withDuration: .milliseconds(300), delay: .seconds(3)) { label.opacity = 0 }
/// ```
///
/// The queue has the methods of every ``Animator``, and thus those of BRYSerialAnimationQueue. The delay of an
/// animation starts when the animation before it has ended and its completion has returned. No thread waits for that.
/// The queue lives until all animations have ended, even if there is no reference to it.
///
/// - An interrupted animation ends as well, with `finished` being false, and the next one starts.
/// - An animation that repeats forever never ends. Its turn in the queue ends with its first run. It then keeps running
///   beside the next animations, and its completion is called when something interrupts it. In BRYSerialAnimationQueue,
///   such an animation holds the queue and a thread forever.
/// - With ``AnimationOptions/allowsOverlap``, the turn of an animation ends as soon as the animation has started.
/// - If a custom animator releases its completion without calling it, that is reported, and the queue continues. If it
///   calls the completion again, that is reported and has no effect. A timeout protects against an animator that never
///   calls it.
public final class SerialAnimationQueue: Animator {
  /// The queue that runs the animations. Use it to put other work between them, or to wait for them.
  public let queue: SerialQueue
  private let label: String
  private let animator: any Animator
  private let runtime: any Runtime

  /// - Parameters:
  ///   - label: the name of the queue in reports.
  ///   - animator: runs the animations; by default a ``LayerAnimator`` of `runtime`.
  ///   - timeout: the time that the turn of an animation may take, including its delay; unlimited by default.
  ///   - runtime: the source of time and threads.
  public init(
    _ label: String = "animations", animator: (any Animator)? = nil, timeout: Duration? = nil,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    queue = SerialQueue(label, on: .main, timeout: timeout, runtime: runtime)
    self.label = label
    self.animator = animator ?? LayerAnimator(runtime: runtime)
    self.runtime = runtime
  }

  public func animate(
    withDuration duration: Duration, delay: Duration, options: AnimationOptions,
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void
  ) {
    enqueue(
      withDuration: duration, delay: delay, options: options, animations: animations,
      completion: completion)
  }

  /// Appends an animation, as `animate` does, and returns an item that can be awaited and cancelled.
  ///
  /// If it is cancelled while queued, the animation never starts and its completion is not called. If it is cancelled
  /// while running, the animation continues to its end.
  ///
  /// - Returns: the item in the queue. Its value is `finished`, or true if the turn ended before the animation.
  @discardableResult
  public func enqueue(
    withDuration duration: Duration, delay: Duration = .zero,
    options: AnimationOptions = AnimationOptions(), file: StaticString = #fileID,
    line: UInt = #line, animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void = { _ in }
  ) -> SerialQueue.Item<Bool> {
    let turn = Turn()
    let item = queue.enqueueWithCompletion(of: Bool.self, file: file, line: line) {
      [label, animator, runtime] done in
      turn.begin(done)
      animator.animate(
        withDuration: duration, delay: delay, options: options, animations: animations
      ) { finished in
        guard turn.isFirstEnd() else {
          return runtime.misuse(
            "completed-twice",
            "the animator of “\(label)” called the completion of an animation again; the second call was "
              + "ignored: call it only once")
        }
        completion(finished)
        turn.end(finished)
      }
      if options.allowsOverlap {
        turn.end(true)
      } else if options.repetition == .forever {
        let run = AnimationTimeline.lengthOfRun(duration, options)
        turn.endLater(runtime.main.schedule(after: delay + run) { turn.end(true) })
      }
    }
    // The item may time out before its turn ends, and then the timer of the turn would stay. The reference is weak,
    // because a turn that has begun references its item.
    if options.repetition == .forever { item.onCompletion { [weak turn] _ in turn?.end(false) } }
    return item
  }

  /// Removes all animations that have not started. Their completions are not called.
  public func cancelPending() { queue.cancelPending() }
}

/// The time during which an animation occupies the queue. The first call that ends the turn counts.
private final class Turn: Sendable {
  private struct State {
    var done: SerialQueue.Done<Bool>?
    var timer: (any Cancellable)?
    /// Whether the animation has ended, even if its turn ended earlier.
    var hasEnded = false
  }

  private let state = Locked(State())

  func begin(_ done: SerialQueue.Done<Bool>) { state.withLock { $0.done = done } }

  /// Keeps `timer`, which will end the turn, and cancels it as soon as something else has ended the turn.
  func endLater(_ timer: any Cancellable) {
    let isFinished = state.withLock { state in
      if state.done != nil { state.timer = timer }
      return state.done == nil
    }
    if isFinished { timer.cancel() }
  }

  /// Whether this is the first call.
  func isFirstEnd() -> Bool {
    state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
  }

  func end(_ finished: Bool) {
    let (done, timer) = state.withLock { state in (state.done.take(), state.timer.take()) }
    timer?.cancel()
    done?(.success(finished))
  }
}
