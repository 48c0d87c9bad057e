import AsyncSimulation
import SerialAnimation
import Testing

extension LayerProperty where Value == Double {
  static var progress: LayerProperty { LayerProperty("progress", default: 0) }
}

/// Sets the new values, and completes immediately.
struct Immediate: Animator {
  func animate(
    withDuration duration: Duration, delay: Duration, options: AnimationOptions,
    animations: @escaping @Sendable () -> Void,
    completion: @escaping @Sendable (_ finished: Bool) -> Void
  ) {
    animations()
    completion(true)
  }
}

/// The page on animations. The main lane of the virtual clock runs on the thread that runs the clock.
@Suite struct AnimationSamples {
  let runtime = SimulatedRuntime()
  let log = Log()
  let label = Layer("label")
  let animator: LayerAnimator
  let queue: SerialAnimationQueue

  init() {
    animator = LayerAnimator(runtime: runtime)
    queue = SerialAnimationQueue(animator: animator, runtime: runtime)
    label.opacity = 0
  }

  /// Runs until `milliseconds` have passed since the start.
  func run(to milliseconds: Int) {
    runtime.run(until: .zero.advanced(by: .milliseconds(milliseconds)))
  }

  @Test func `the label that fades in, waits and fades out`() {
    queue.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }
    queue.animate(
      withDuration: .milliseconds(300), delay: .seconds(3), options: AnimationOptions(),
      animations: { label.opacity = 0 },
      completion: { finished in log.append("the label can go") })

    run(to: 150)
    #expect(isClose(label.presentation.opacity, 0.5))
    run(to: 3299)
    #expect(label.presentation.opacity == 1)
    run(to: 3450)
    #expect(isClose(label.presentation.opacity, 0.5))
    run(to: 3599)
    #expect(log.entries == [])
    run(to: 3600)
    #expect(log.entries == ["the label can go"])
    #expect(label.presentation.opacity == 0)
  }

  @Test func `nested completions`() {
    animator.animate(withDuration: .milliseconds(300)) {
      label.opacity = 1
    } completion: { _ in
      animator.animate(withDuration: .milliseconds(300), delay: .seconds(3)) {
        label.opacity = 0
      }
    }

    run(to: 300)
    #expect(label.presentation.opacity == 1)
    run(to: 3600)
    #expect(label.presentation.opacity == 0)
  }

  @Test func `model values and shown values`() {
    runtime.main.schedule {
      animator.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }
      log.append("\(label.opacity)")  // 1.0: what it was set to
      log.append("\(label.presentation.opacity)")  // 0.0: what is shown
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["1.0", "0.0"])
  }

  @Test func `a custom property`() {
    animator.animate(
      withDuration: .seconds(1), delay: .zero, options: .init(timing: .curve(.linear))
    ) {
      label[.progress] = 100
    }
    run(to: 250)
    #expect(isClose(label.presentation[.progress], 25))
  }

  @Test func `springs and curves`() {
    queue.animate(
      withDuration: .seconds(1), usingSpringWithDamping: 0.5, initialSpringVelocity: 2,
      animations: { label.position = Point(x: 100, y: 0) })
    queue.animate(
      withDuration: .seconds(1), delay: .zero,
      options: AnimationOptions(timing: .curve(TimingCurve(x1: 0.34, y1: 1.56, x2: 0.64, y2: 1)))
    ) { label.scale = 2 }

    run(to: 500)
    let spring = Spring(dampingRatio: 0.5, duration: .seconds(1), initialVelocity: 2)
    #expect(isClose(label.presentation.position.x, 100 * spring.value(at: 0.5)))
    run(to: 1500)
    #expect(label.presentation.position == Point(x: 100, y: 0))
    #expect(isClose(label.presentation.scale, 2.087401))
  }

  @Test func `endless animations`() {
    let pulsing = AnimationOptions(repetition: .forever, autoreverses: true)
    queue.animate(withDuration: .milliseconds(300), delay: .zero, options: pulsing) {
      label.scale = 1.2
    }
    queue.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }

    run(to: 899)
    #expect(label.presentation.opacity < 1)
    run(to: 900)
    #expect(label.presentation.opacity == 1)
    #expect(label.isAnimated)
    label.removeAllAnimations()
    runtime.runUntilIdle()
    #expect(!label.isAnimated)
  }

  @Test func `other work between animations`() async throws {
    queue.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }
    queue.queue.enqueue { log.append("shown") }
    queue.animate(withDuration: .milliseconds(300)) { label.opacity = 0 }
    let ending = runtime.task { try await queue.queue.drain() }

    run(to: 600)
    try await ending.value
    #expect(log.entries == ["shown"])
  }

  @Test func `a custom animator`() {
    let queue = SerialAnimationQueue(animator: Immediate(), runtime: runtime)
    queue.animate(withDuration: .seconds(5)) { log.append("now") }
    queue.animate(withDuration: .seconds(5)) { log.append("and now") }
    runtime.runUntilIdle()
    #expect(log.entries == ["now", "and now"])
    #expect(runtime.now == .zero)
  }

  @Test func `frames`() {
    let drawing = animator.onFrame { time in
      log.append("\(time): \(label.presentation.opacity)")
    }
    animator.animate(withDuration: .milliseconds(50)) { label.opacity = 1 }
    runtime.runUntilIdle()
    drawing.cancel()
    #expect(log.entries.last?.hasSuffix(": 1.0") == true)
    #expect(log.entries.count >= 4)
  }
}
