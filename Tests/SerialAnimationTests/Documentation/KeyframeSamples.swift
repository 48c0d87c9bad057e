import AsyncSimulation
import SerialAnimation
import Testing

/// The page on key frames.
@Suite struct KeyframeSamples {
  let runtime = SimulatedRuntime()
  let log = Log()
  let label = Layer("label")
  let animator: LayerAnimator

  init() {
    animator = LayerAnimator(runtime: runtime)
    label.opacity = 0
  }

  func run(to milliseconds: Int) {
    runtime.run(until: .zero.advanced(by: .milliseconds(milliseconds)))
  }

  @Test func `one after another with one completion`() {
    KeyframeSequence(duration: .milliseconds(300), animator: animator).animate([
      { label.opacity = 1 },
      { label.position = Point(x: 0, y: 40) },
      { label.opacity = 0 },
    ]) { finished in
      log.append("all three")
    }

    run(to: 150)
    #expect(isClose(label.presentation.opacity, 0.5))
    run(to: 450)
    #expect(label.presentation.opacity == 1)
    #expect(isClose(label.presentation.position, Point(x: 0, y: 20)))
    run(to: 750)
    #expect(isClose(label.presentation.opacity, 0.5))
    #expect(log.entries == [])
    run(to: 900)
    #expect(log.entries == ["all three"])
  }

  @Test func `explicit times`() {
    animator.animateKeyframes(withDuration: .seconds(2)) {
      KeyframeSequence.addKeyframe(withRelativeStartTime: 0, relativeDuration: 0.5) {
        label.opacity = 1
      }
      KeyframeSequence.addKeyframe(withRelativeStartTime: 0.25, relativeDuration: 0.75) {
        label.position = Point(x: 0, y: 40)
      }
    }

    run(to: 500)
    #expect(isClose(label.presentation.opacity, 0.5))
    #expect(label.presentation.position == .zero)
    run(to: 1250)
    #expect(isClose(label.presentation.position, Point(x: 0, y: 20)))
  }

  @Test func `in a queue`() {
    let queue = SerialAnimationQueue(animator: animator, runtime: runtime)
    queue.animate(withDuration: .milliseconds(300)) { label.opacity = 1 }
    KeyframeSequence(duration: .milliseconds(100), animator: queue).animate([
      { label.scale = 2 },
      { label.scale = 1 },
    ])

    run(to: 400)
    #expect(label.presentation.opacity == 1)
    #expect(label.presentation.scale == 2)
    run(to: 500)
    #expect(label.presentation.scale == 1)
  }

  @Test func `a track by itself`() {
    let heights = KeyframeTrack<Double>(
      [.init(at: 0, 0), .init(at: 0.25, 1), .init(at: 0.5, 0.5), .init(at: 1, 1)], mode: .cubic)
    let height = heights.value(at: 0.125)  // 0.59375
    #expect(height == 0.59375)
  }

  /// The table of the modes: at an eighth, at three eighths, and at three quarters of the time.
  @Test(
    arguments: [
      (.linear, [0.5, 0.75, 0.75]), (.discrete, [0, 1, 0.5]), (.paced, [0.25, 0.75, 0.5]),
      (.cubic, [0.59375, 0.78125, 0.6875]), (.cubicPaced, [0.25098, 0.75293, 0.50195]),
    ] as [(CalculationMode, [Double])])
  func `the modes`(mode: CalculationMode, expected: [Double]) {
    let track = KeyframeTrack<Double>(
      [.init(at: 0, 0), .init(at: 0.25, 1), .init(at: 0.5, 0.5), .init(at: 1, 1)], mode: mode)
    for (time, value) in zip([0.125, 0.375, 0.75], expected) {
      #expect(isClose(track.value(at: time), value))
    }
  }
}
