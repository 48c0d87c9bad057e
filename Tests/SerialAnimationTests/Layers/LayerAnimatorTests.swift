import AsyncSimulation
import SerialAnimation
import Testing

@Suite struct LayerAnimatorTests {
  private let stage = Stage()

  init() { stage.layer.opacity = 0 }

  @Test func `a change in the block is animated, and the model has the new value immediately`() {
    stage.at(0) { [stage] in
      stage.animate("fade", to: 1)
      #expect(stage.layer.opacity == 1)
      #expect(stage.layer.presentation.opacity == 0)
    }
    #expect(stage.shown(at: [0, 25, 50, 99, 100, 200]) == [0, 250, 500, 990, 1000, 1000])
    #expect(stage.log.entries == ["fade finished@100"])
    #expect(!stage.layer.isAnimated)
  }

  @Test func `a block that is passed from another lane runs on the main lane`() {
    let lanes = Locked<[Lane]>([])
    stage.runtime.pool.schedule { [stage] in
      stage.animator.animate(withDuration: .ms(10)) {
        lanes.withLock { $0.append(LaneContext.current.lane) }
      } completion: { _ in
        lanes.withLock { $0.append(LaneContext.current.lane) }
      }
    }
    stage.runtime.runUntilIdle()
    #expect(lanes.withLock { $0 } == [.main, .main])
  }

  struct Timing: Sendable, CustomTestStringConvertible {
    var name: String
    var duration = Duration.ms(100)
    var delay = Duration.zero
    var options = AnimationOptions.linear
    /// The expected values: a time in milliseconds, and the opacity in thousandths at that time.
    var shown: [(at: Int, value: Int)]
    var end: Int
    var testDescription: String { name }
  }

  static let timings = [
    Timing(name: "a delay", delay: .ms(50), shown: [(49, 0), (100, 500), (149, 990)], end: 150),
    Timing(name: "no duration", duration: .zero, shown: [(1, 1000)], end: 0),
    Timing(name: "a duration below zero", duration: .ms(-20), shown: [(1, 1000)], end: 0),
    Timing(
      name: "a delay and no duration", duration: .zero, delay: .ms(50),
      shown: [(49, 0), (51, 1000)], end: 50),
    Timing(name: "a negative delay", delay: .ms(-50), shown: [(1, 510), (25, 750)], end: 50),
    Timing(name: "a delay far back", delay: .seconds(-9), shown: [(1, 1000)], end: 0),
    Timing(
      name: "three times", options: .linear { $0.repetition = .times(3) },
      shown: [(50, 500), (110, 100), (250, 500), (299, 990), (301, 1000)], end: 300),
    Timing(
      name: "less than once", options: .linear { $0.repetition = .times(-3) },
      shown: [(50, 500)], end: 100),
    Timing(
      name: "forth and back", options: .linear { $0.autoreverses = true },
      shown: [(50, 500), (100, 1000), (150, 500), (199, 10), (201, 1000)], end: 200),
    Timing(
      name: "forth and back twice",
      options: .linear {
        $0.autoreverses = true
        $0.repetition = .times(2)
      }, shown: [(150, 500), (250, 500), (300, 1000), (399, 10), (401, 1000)], end: 400),
    Timing(
      name: "a curve", options: AnimationOptions(timing: .curve(.easeIn)),
      shown: [(25, 93), (50, 315), (75, 622)], end: 100),
    Timing(
      name: "a curve forth and back",
      options: AnimationOptions(timing: .curve(.easeIn), autoreverses: true),
      shown: [(25, 93), (125, 622), (175, 93)], end: 200),
    Timing(
      name: "a spring", duration: .seconds(1),
      options: AnimationOptions(timing: .spring(dampingRatio: 0.5)),
      shown: [(250, 1000), (1001, 1000)].map { time, _ in
        let value = Spring(dampingRatio: 0.5, duration: .seconds(1)).value(at: Double(time) / 1e3)
        return (time, time > 1000 ? 1000 : Int((value * 1000).rounded()))
      }, end: 1000),
    Timing(
      name: "forever and no time", duration: .zero,
      options: .linear { $0.repetition = .forever }, shown: [(1, 1000)], end: 0),
  ]

  @Test(arguments: timings) func `values and end times are exact`(_ timing: Timing) {
    stage.animate(
      "it", to: 1, for: timing.duration, delay: timing.delay, timing.options)
    #expect(stage.shown(at: timing.shown.map(\.at)) == timing.shown.map(\.value))
    #expect(stage.log.entries == ["it finished@\(timing.end)"])
  }

  @Test func `an extremely long duration does not overflow`() {
    let endless = Duration.seconds(Int64.max)
    let options = AnimationOptions.linear {
      $0.repetition = .times(.max)
      $0.autoreverses = true
    }
    stage.animate("long", to: 1, for: endless, delay: endless, options)
    stage.animate("back", to: 0, for: endless, delay: .zero - endless, options)
    stage.at(10) { [stage] in
      #expect(stage.layer.presentation.opacity.isFinite)
      stage.layer.removeAllAnimations()
    }
    stage.runtime.advance(by: .seconds(1))
    #expect(stage.log.entries.first == "long unfinished@0")
  }

  @Test(arguments: [Duration.microseconds(100), .ms(100), .seconds(1_000_000)])
  func `a spring takes the given duration, however short or long`(duration: Duration) {
    stage.animate("it", to: 1, for: duration, AnimationOptions(timing: .spring(dampingRatio: 1)))
    let shown = Locked<Double?>(nil)
    stage.runtime.main.schedule(after: duration / 2) { [stage] in
      shown.withLock { $0 = stage.layer.presentation.opacity }
    }
    stage.runtime.runUntilIdle()
    let half = Spring(dampingRatio: 1, duration: .seconds(1)).value(at: 0.5)
    #expect(shown.withLock { $0 }.map { abs($0 - half) < 1e-9 } == true)
  }

  @Test func `changes of several properties of several layers end together`() {
    let other = Layer()
    stage.at(0) { [stage] in
      stage.animator.animate(withDuration: .ms(100), delay: .zero, options: .linear) {
        stage.layer.opacity = 1
        stage.layer.position = Point(x: 10, y: 20)
        other.backgroundColor = Color(red: 1, green: 0, blue: 0, alpha: 1)
      } completion: {
        #expect(!stage.layer.isAnimated && !other.isAnimated)
        stage.ending("all")($0)
      }
    }
    stage.at(50) { [stage] in
      let shown = stage.layer.presentation
      #expect(shown.opacity == 0.5 && shown.position == Point(x: 5, y: 10))
      #expect(shown.bounds == .zero && shown.scale == 1 && shown.rotation == 0)
      #expect(other.presentation.backgroundColor.red == 0.5)
    }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["all finished@100"])
  }

  @Test func `a property set twice in a block animates from its old value to the second`() {
    stage.animator.animate(withDuration: .ms(100), delay: .zero, options: .linear) { [stage] in
      stage.layer.opacity = 0.2
      stage.layer.opacity = 1
    } completion: { [stage] in
      stage.ending("it")($0)
    }
    #expect(stage.shown(at: [50]) == [500])
    #expect(stage.log.entries == ["it finished@100"])
  }

  @Test(arguments: [false, true])
  func `a block that changes nothing takes its full duration`(setsSame: Bool) {
    stage.animator.animate(withDuration: .ms(100), delay: .ms(20), options: .linear) { [stage] in
      if setsSame { stage.layer.opacity = 0 }
    } completion: { [stage] in
      stage.ending("nothing")($0)
    }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["nothing finished@120"])
  }

  @Test func `a forever repeating block that changes nothing ends after one run`() {
    stage.animator.animate(
      withDuration: .ms(100), delay: .zero, options: .linear { $0.repetition = .forever },
      animations: {}, completion: stage.ending("nothing"))
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["nothing finished@100"])
  }

  @Test func `the completion is never called during the call itself`() {
    stage.at(0) { [stage] in
      stage.animate("immediately", to: 1, for: .zero)
      stage.log.append("returned")
    }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["returned", "immediately finished@0"])
  }

  @Test func `an animation releases its layer at its end`() {
    weak var layer: Layer?
    do {
      let temporary = Layer()
      layer = temporary
      stage.animator.animate(withDuration: .ms(100)) { temporary.opacity = 0 }
    }
    stage.runtime.advance(by: .ms(50))
    #expect(layer != nil, "an animation keeps its layer until its end")
    stage.runtime.runUntilIdle()
    #expect(layer == nil)
  }

  @Test func `an endless animation ends when its layer is released`() {
    do {
      let temporary = Layer()
      let options = AnimationOptions.linear { $0.repetition = .forever }
      stage.animator.animate(
        withDuration: .ms(100), delay: .zero, options: options,
        animations: { temporary.opacity = 0 }, completion: stage.ending("pulse"))
      stage.runtime.advance(by: .ms(250))
      #expect(temporary.presentation.opacity == 0.5)
    }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["pulse unfinished@250"])
  }

  @Test func `an abandoned simulation leaves nothing behind`() {
    let layers = Locked<[WeakLayer]>([])
    let report = Exploration(schedules: 5).explore { runtime in
      let (animator, layer) = (LayerAnimator(runtime: runtime), Layer())
      let drawing = animator.onFrame { _ in _ = layer.presentation }
      animator.animate(withDuration: .ms(100)) {
        layer.opacity = 0
      } completion: { _ in
        drawing.cancel()
      }
      runtime.pool.schedule(after: .ms(50)) { runtime.interrupt() }
      layers.withLock { $0.append(WeakLayer(layer: layer)) }
      return { nil }
    }
    #expect(report.schedules == 5)
    #expect(layers.withLock { $0.compactMap(\.layer).isEmpty })
  }

  private struct WeakLayer: Sendable { weak var layer: Layer? }
}
