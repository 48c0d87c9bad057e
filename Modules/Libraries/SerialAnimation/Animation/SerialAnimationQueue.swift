internal import AsyncRuntime

/// Animations one after another, none of which waits for another one in code.
///
/// ```swift
/// let queue = SerialAnimationQueue()
/// queue.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }
/// queue.animate(withDuration: .milliseconds(300), delay: .seconds(3)) { label.opacity = 0 }
/// ```
///
/// It has the methods of every ``Animator``, and so those of BRYSerialAnimationQueue. An animation starts, and
/// its delay with it, when the one before it has ended and its completion has returned. No thread waits for
/// it. The queue lives until all have ended; nobody needs to hold it.
///
/// - An animation that was taken away ends, too (`finished` is false), and the next one starts.
/// - One that repeats for ever never ends. Its turn in the queue is over with its first run: it goes on beside
///   what comes then, and its completion is called when something takes it away. In the original it holds the
///   queue, and a thread, for ever.
/// - One that ``AnimationOptions/allowsOverlap`` has its turn just long enough to start.
/// - An animator of one's own that lets go of its completion is reported, and the queue goes on; one that calls it
///   again is reported, and that has no effect. Against one that never calls it there is a timeout.
public final class SerialAnimationQueue: Animator {
  /// What the animations stand in, to put other work between them, or to wait for them.
  public let queue: SerialQueue
  private let label: String
  private let animator: any Animator
  private let runtime: any Runtime

  /// - Parameters:
  ///   - label: what reports call it.
  ///   - animator: what runs the animations; a ``LayerAnimator`` of `runtime` unless said otherwise.
  ///   - timeout: how long the turn of one may take, with its delay; for ever unless given.
  ///   - runtime: where time and threads come from.
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

  /// Appends an animation, as `animate` does, and lets it be awaited and cancelled.
  ///
  /// Cancelled while it waits, it never starts, and its completion is not called; cancelled while it runs,
  /// it goes on to its end.
  ///
  /// - Returns: its item in the queue, which tells whether it has finished by the end of its turn.
  @discardableResult
  public func enqueue(
    withDuration duration: Duration, delay: Duration = .zero,
    options: AnimationOptions = AnimationOptions(), file: StaticString = #fileID,
    line: UInt = #line, animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void = { _ in }
  ) -> SerialQueue.Item<Bool> {
    let turn = Turn()
    let item = queue.enqueue(of: Bool.self, file: file, line: line) {
      [label, animator, runtime] done in
      turn.begin(done)
      animator.animate(
        withDuration: duration, delay: delay, options: options, animations: animations
      ) { finished in
        guard turn.isFirstEnd() else {
          return runtime.misuse(
            "completed-twice",
            "the animator of “\(label)” called the completion of an animation again; the second call was "
              + "dropped")
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
    // Its time may be over before: the timer would stay. Weakly, since a turn that has begun holds its item.
    if options.repetition == .forever { item.onCompletion { [weak turn] _ in turn?.end(false) } }
    return item
  }

  /// Takes out all animations that have not started; their completions are not called.
  public func cancelPending() { queue.cancelPending() }
}

/// The time that an animation has the queue for itself: the first who says that it is over counts.
private final class Turn: Sendable {
  private struct State {
    var done: SerialQueue.Done<Bool>?
    var timer: (any Cancellable)?
    /// Whether the animation has ended, be that after its turn.
    var hasEnded = false
  }

  private let state = Locked(State())

  func begin(_ done: SerialQueue.Done<Bool>) { state.withLock { $0.done = done } }

  /// Keeps a timer that ends it until something else does.
  func endLater(_ timer: any Cancellable) {
    let isOver = state.withLock { state in
      if state.done != nil { state.timer = timer }
      return state.done == nil
    }
    if isOver { timer.cancel() }
  }

  /// Whether nobody has asked before.
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
