import AsyncSimulation
import Testing

@testable import SerialAnimation

/// Tests how the queue handles custom animators that break the rules.
@Suite struct FaultyAnimatorTests {
  /// A custom animator that releases its completion without calling it.
  private struct Forgetful: Animator {
    func animate(
      withDuration duration: Duration, delay: Duration, options: AnimationOptions,
      animations: @escaping @Sendable () -> Void,
      completion: @escaping @Sendable (Bool) -> Void
    ) { animations() }
  }

  @Test func `an animator that drops its completion is reported, and the queue continues`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let log = Log()
    let queue = SerialAnimationQueue(animator: Forgetful(), runtime: runtime)
    queue.animate(withDuration: .ms(10)) { log.append("a") }
    queue.animate(withDuration: .ms(10)) { log.append("b") }
    runtime.runUntilIdle()
    #expect(log.entries == ["a", "b"])
    #expect(recording.misuse == ["completion-dropped", "completion-dropped"])
  }

  /// A custom animator that calls its completion twice.
  private struct Insistent: Animator {
    let scheduler: any Scheduler

    func animate(
      withDuration duration: Duration, delay: Duration, options: AnimationOptions,
      animations: @escaping @Sendable () -> Void,
      completion: @escaping @Sendable (Bool) -> Void
    ) {
      animations()
      scheduler.schedule(after: duration) { completion(true) }
      scheduler.schedule(after: duration * 2) { completion(false) }
    }
  }

  @Test func `a second completion call is reported and otherwise ignored`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let log = Log()
    let queue = SerialAnimationQueue(animator: Insistent(scheduler: runtime.main), runtime: runtime)
    for name in ["a", "b"] {
      queue.animate(withDuration: .ms(10)) {
        log.append("\(name)@\(runtime.now.nanoseconds / 1_000_000)")
      } completion: {
        log.append("\(name) \($0)")
      }
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["a@0", "a true", "b@10", "b true"])
    #expect(recording.misuse == ["completed-twice", "completed-twice"])
  }

  @Test func `the report names the place where the animation was enqueued`() async throws {
    let runtime = SimulatedRuntime(trace: Recording())
    let queue = SerialAnimationQueue("panel", animator: Forgetful(), runtime: runtime)
    let item = queue.enqueue(withDuration: .ms(10)) {}
    let line = #line - 1
    runtime.runUntilIdle()
    await #expect {
      try await item.value
    } throws: {
      "\($0)".contains("panel: item enqueued at SerialAnimationTests/")
        && "\($0)".contains(":\(line)”")
    }
  }

  /// A custom animator that keeps its completions until they are requested.
  private final class Holding: Animator {
    let kept = Locked<[@Sendable (Bool) -> Void]>([])

    func animate(
      withDuration duration: Duration, delay: Duration, options: AnimationOptions,
      animations: @escaping @Sendable () -> Void,
      completion: @escaping @Sendable (Bool) -> Void
    ) {
      animations()
      kept.withLock { $0.append(completion) }
    }
  }

  @Test func `a timeout ends an animation whose completion is never called`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let (animator, log) = (Holding(), Log())
    let queue = SerialAnimationQueue(animator: animator, timeout: .ms(50), runtime: runtime)
    for name in ["a", "b"] {
      queue.animate(withDuration: .ms(10)) {
        log.append("\(name)@\(runtime.now.nanoseconds / 1_000_000)")
      } completion: {
        log.append("\(name) \($0)")
      }
    }
    runtime.main.schedule(after: .ms(60)) {
      for completion in animator.kept.withLock({ $0 }) { completion(true) }
    }
    runtime.runUntilIdle()
    // The first completion comes after the timeout, but it is still called.
    #expect(log.entries == ["a@0", "b@50", "a true", "b true"])
    #expect(queue.queue.count == 0 && runtime.now.nanoseconds == 60_000_000)
  }
}
