import AsyncSimulation
import PatternTesting
import SerialAnimation
import Testing

@Suite struct KeyframeSequenceTests {
  private let stage = Stage()

  init() { stage.layer.opacity = 0 }

  private func sequence(
    delay: Duration = .zero, mode: CalculationMode = .linear
  ) -> KeyframeSequence {
    KeyframeSequence(duration: .ms(100), delay: delay, mode: mode, animator: stage.animator)
  }

  @Test func `each block animates one part of the duration, and one completion is called`() {
    sequence(delay: .ms(50)).animate(
      [
        { [stage] in stage.layer.opacity = 1 },
        { [stage] in stage.layer.scale = 3 },
        { [stage] in stage.layer.opacity = 0.5 },
      ], completion: stage.ending("all"))
    stage.at(200) { [stage] in #expect(stage.layer.presentation.scale == 2) }
    #expect(
      stage.shown(at: [50, 100, 150, 200, 250, 300, 350]) == [0, 500, 1000, 1000, 1000, 750, 500])
    #expect(stage.log.entries == ["all finished@350"])
    #expect(stage.layer.scale == 3)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(-10_000_000_000), .seconds(Int64.min)])
  func `a sequence without a duration sets the last values and completes`(duration: Duration) {
    KeyframeSequence(duration: duration, animator: stage.animator).animate(
      [{ [stage] in stage.layer.opacity = 0.5 }, { [stage] in stage.layer.opacity = 0.2 }],
      completion: stage.ending("all"))
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["all finished@0"])
    #expect(stage.layer.presentation.opacity == 0.2)
  }

  @Test func `all blocks run in order when the sequence starts`() {
    let names = ["a", "b", "c"]
    stage.at(0) { [stage, sequence = sequence(delay: .ms(20))] in
      sequence.animate(names.map { name in { stage.log.append(name) } }) { _ in
        stage.log.append("end@\(stage.time)")
      }
      stage.log.append("returned")
    }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["a", "b", "c", "returned", "end@320"])
  }

  @Test func `without blocks the completion is called after the delay`() {
    sequence(delay: .ms(20)).animate([], completion: stage.ending("none"))
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["none finished@20"])
  }

  /// The values of each mode for 0 → 1 → 0 → 0 at 100, 200 and 300 ms: thousandths of opacity at 50, 150 and 250 ms.
  static let modes: [(CalculationMode, [Int])] = [
    (.linear, [500, 500, 0]),
    (.discrete, [0, 1000, 0]),
    // Two distances of the same length share the whole duration.
    (.paced, [333, 1000, 333]),
    (.cubic, [625, 562, -62]),
  ]

  @Test(arguments: modes) func `values follow the calculation mode`(
    mode: CalculationMode, values: [Int]
  ) {
    let targets = [1.0, 0, 0]
    sequence(mode: mode).animate(
      targets.map { value in { [stage] in stage.layer.opacity = value } },
      completion: stage.ending("it"))
    let shown = stage.shown(at: [50, 150, 250, 300])
    #expect(zip(shown, values + [0]).allSatisfy { abs($0 - $1) <= 1 }, "\(shown)")
    #expect(stage.log.entries == ["it finished@300"])
  }

  @Test(arguments: CalculationMode.allCases) func `every mode ends at the last value`(
    mode: CalculationMode
  ) {
    sequence(mode: mode).animate(
      [0.2, 0.9, 0.4].map { value in { [stage] in stage.layer.opacity = value } })
    let shown = stage.shown(at: [0, 299, 301])
    #expect(shown.first == 0 && shown.last == 400)
    #expect(stage.layer.opacity == 0.4)
  }

  @Test func `key frames may set their own times, in any order`() {
    let frame = { [stage] (start: Double, duration: Double, value: Double) in
      KeyframeSequence.Keyframe(relativeStartTime: start, relativeDuration: duration) {
        stage.layer.opacity = value
      }
    }
    sequence().animate(
      keyframes: [frame(0.5, 0.25, 0), frame(0, 0.25, 1)], completion: stage.ending("it"))
    #expect(
      stage.shown(at: [25, 50, 75, 100, 125, 150, 199]) == [500, 1000, 1000, 1000, 500, 0, 0])
    #expect(stage.layer.opacity == 0, "the last in time")
    #expect(stage.log.entries == ["it finished@200"])
  }

  @Test(arguments: [(-1.0, 9.0), (.nan, .infinity), (0, .nan), (2, 2), (0.5, -1)])
  func `times outside the sequence are clamped to it`(start: Double, duration: Double) {
    sequence().animate(
      keyframes: [
        .init(relativeStartTime: start, relativeDuration: duration) { [stage] in
          stage.layer.opacity = 1
        }
      ], completion: stage.ending("it"))
    #expect(stage.shown(at: [100]) == [1000])
    #expect(stage.log.entries == ["it finished@100"])
  }

  @Test func `a change outside of key frames takes the whole duration`() {
    stage.animator.animateKeyframes(withDuration: .ms(100)) { [stage] in
      stage.layer.opacity = 1
      KeyframeSequence.addKeyframe(withRelativeStartTime: 0, relativeDuration: 0.5) {
        stage.layer.scale = 3
      }
    }
    stage.at(50) { [stage] in #expect(stage.layer.presentation.scale == 3) }
    #expect(stage.shown(at: [25, 50]) == [250, 500])
  }

  @Test func `a key frame outside of a key-frame animation is an ordinary change`() {
    KeyframeSequence.addKeyframe(withRelativeStartTime: 0.5, relativeDuration: 0.5) {
      stage.layer.opacity = 0.5
    }
    #expect(stage.layer.presentation.opacity == 0.5)
    stage.animator.animate(withDuration: .ms(100), delay: .zero, options: .linear) { [stage] in
      KeyframeSequence.addKeyframe(withRelativeStartTime: 0.5, relativeDuration: 0.5) {
        stage.layer.opacity = 1
      }
    }
    #expect(stage.shown(at: [50]) == [750])
  }

  @Test func `a replaced sequence ends unfinished, and the next one starts at the shown value`() {
    sequence().animate(
      [1, 0].map { value in { [stage] in stage.layer.opacity = value } },
      completion: stage.ending("frames"))
    stage.at(150) { [stage] in stage.animate("back", to: 0) }
    #expect(stage.shown(at: [150, 200]) == [500, 250])
    #expect(stage.log.entries == ["frames unfinished@150", "back finished@250"])
  }

  @Test(.unlessThreadSanitized) func `a sequence can have very many blocks`() {
    sequence().animate(
      (1...100_000).map { index in { [stage] in stage.layer.opacity = Double(index) } },
      completion: stage.ending("many"))
    #expect(stage.shown(at: [5_000_050]) == [50_000_500])
    #expect(stage.log.entries == ["many finished@10000000"])
  }
}
