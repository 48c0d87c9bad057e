import AsyncSimulation
import Testing

@testable import SerialAnimation
@testable import SerialQueuePatterns

@Suite struct SerialAnimationQueueTests {
  private let stage = Stage()
  private let recording = Recording()
  private let queue: SerialAnimationQueue

  init() {
    stage.layer.opacity = 0
    queue = SerialAnimationQueue(animator: stage.animator, runtime: stage.runtime)
  }

  private func append(
    _ name: String, to opacity: Double, for duration: Duration = .ms(100),
    delay: Duration = .zero, _ options: AnimationOptions = .linear
  ) {
    queue.animate(
      withDuration: duration, delay: delay, options: options,
      animations: { [stage] in
        stage.log.append("\(name)@\(stage.time)")
        stage.layer.opacity = opacity
      }, completion: stage.ending(name))
  }

  @Test func `a label fades in, waits and fades out`() {
    queue.animate(withDuration: .ms(300)) { [stage] in stage.layer.opacity = 1 }
    queue.animate(withDuration: .ms(300), delay: .seconds(3)) { [stage] in
      stage.layer.opacity = 0
    }
    queue.queue.onDrained { [stage] in stage.log.append("drained@\(stage.time)") }
    #expect(stage.shown(at: [0, 150, 300, 3299, 3450, 3600]) == [0, 500, 1000, 1000, 500, 0])
    #expect(stage.log.entries == ["drained@3600"])
  }

  @Test func `each animation starts when the completion of the previous one has returned`() {
    append("a", to: 1)
    append("b", to: 0, delay: .ms(50))
    append("c", to: 1, for: .zero)
    stage.runtime.runUntilIdle()
    #expect(
      stage.log.entries == [
        "a@0", "a finished@100", "b@100", "b finished@250", "c@250", "c finished@250",
      ])
  }

  @Test func `it has the methods of the original`() {
    let animations: @Sendable () -> Void = { [stage] in
      stage.layer.opacity = 1 - stage.layer.opacity
    }
    queue.animate(withDuration: .ms(10), animations: animations)
    queue.animate(withDuration: .ms(10), animations: animations, completion: stage.ending("a"))
    queue.animate(
      withDuration: .ms(10), delay: .ms(5), options: .linear, animations: animations,
      completion: stage.ending("b"))
    queue.animate(
      withDuration: .ms(10), delay: .ms(5), usingSpringWithDamping: 0.5, initialSpringVelocity: 1,
      options: .linear, animations: animations, completion: stage.ending("c"))
    queue.animateKeyframes(
      withDuration: .ms(10), animations: animations, completion: stage.ending("d"))
    KeyframeSequence(duration: .ms(10), animator: queue)
      .animate([animations, animations], completion: stage.ending("e"))
    stage.runtime.runUntilIdle()
    #expect(
      stage.log.entries == [
        "a finished@20", "b finished@35", "c finished@50", "d finished@60", "e finished@80",
      ])
  }

  @Test func `omitted arguments have the defaults of UIView`() {
    let begin: @Sendable () -> Void = { [stage] in
      stage.log.append("\(stage.time)")
      stage.layer.opacity = 1 - stage.layer.opacity
    }
    let twice = AnimationOptions.linear { $0.repetition = .times(2) }
    let end = stage.ending("it")
    queue.animate(withDuration: .ms(10), delay: .ms(5), animations: begin)
    queue.animate(withDuration: .ms(10), delay: .ms(5), animations: begin, completion: end)
    queue.animate(withDuration: .ms(10), options: twice, animations: begin)
    queue.animate(withDuration: .ms(10), options: twice, animations: begin, completion: end)
    queue.animate(withDuration: .ms(10), delay: .ms(5), options: twice, animations: begin)
    stage.runtime.runUntilIdle()
    #expect(
      stage.log.entries == ["0", "15", "it finished@30", "30", "50", "it finished@70", "70"])
    #expect(stage.time == 95)
  }

  @Test func `removing an animation lets the next one start`() {
    append("a", to: 1)
    append("b", to: 0.5)
    stage.at(40) { [stage] in stage.layer.removeAllAnimations() }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["a@0", "a unfinished@40", "b@40", "b finished@140"])
  }

  @Test func `an endless animation occupies the queue for one run and keeps running`() {
    append("pulse", to: 1, delay: .ms(50), .linear { $0.repetition = .forever })
    queue.animate(withDuration: .ms(100), delay: .zero, options: .linear) { [stage] in
      stage.log.append("grow@\(stage.time)")
      stage.layer.scale = 2
    }
    stage.at(240) { [stage] in
      #expect(stage.layer.isAnimated && stage.layer.presentation.opacity == 0.9)
    }
    queue.queue.onDrained { [stage] in stage.log.append("drained@\(stage.time)") }
    append("fade", to: 0)
    stage.runtime.runUntilIdle()
    #expect(
      stage.log.entries == [
        "pulse@0", "grow@150", "drained@250", "fade@250", "pulse unfinished@250",
        "fade finished@350",
      ])
  }

  @Test func `with autoreverse one run goes forward and back`() {
    append(
      "pulse", to: 1,
      .linear {
        $0.repetition = .forever
        $0.autoreverses = true
      })
    append("fade", to: 0)
    stage.at(90) { [stage] in #expect(stage.layer.presentation.opacity == 0.9) }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries[1] == "fade@200")
  }

  @Test func `if it is removed in its first run, its item ends and leaves no timer`() {
    append("pulse", to: 1, .linear { $0.repetition = .forever })
    stage.at(40) { [stage] in stage.layer.removeAllAnimations() }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["pulse@0", "pulse unfinished@40"])
    #expect(stage.time == 40)
  }

  /// The fault of the original: the queue and its thread wait for a completion that is never called.
  @Test func `the blocking queue hangs behind an animation that repeats forever`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let animator = LayerAnimator(runtime: runtime)
    let (layer, log) = (Layer(), Log())
    let blocking = BlockingSerialQueue("blocking", runtime: runtime)
    for (name, repetition) in [("pulse", Repetition.forever), ("next", .once)] {
      blocking.enqueue { end in
        animator.animate(
          withDuration: .ms(100), delay: .zero, options: .linear { $0.repetition = repetition },
          animations: {
            log.append(name)
            layer.opacity = 0
          }, completion: { _ in end() })
      }
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["pulse"])
    let blocked = recording.events.count { $0.kind == .blocked }
    let unblocked = recording.events.count { $0.kind == .unblocked }
    #expect(blocked == 1 && unblocked == 0, "a thread is blocked forever")
    runtime.abandon()
  }

  @Test func `an animation that allows overlap runs at the same time as the next one`() {
    append("a", to: 1, .linear { $0.allowsOverlap = true })
    queue.animate(
      withDuration: .ms(40), animations: { [stage] in stage.layer.scale = 2 },
      completion: stage.ending("b"))
    append("c", to: 0)
    #expect(stage.shown(at: [20, 90]) == [200, 200])
    #expect(
      stage.log.entries == [
        "a@0", "b finished@40", "c@40", "a unfinished@40", "c finished@140",
      ])
  }

  @Test func `an animation can be awaited and cancelled`() async throws {
    let first = queue.enqueue(withDuration: .ms(100)) { [stage] in stage.layer.opacity = 1 }
    let second = queue.enqueue(
      withDuration: .ms(100), animations: { [stage] in stage.log.append("never") },
      completion: stage.ending("second"))
    second.cancel()
    append("last", to: 0)
    let results = Log()
    first.onCompletion { results.append("first \($0)") }
    second.onCompletion { results.append("second \($0)") }
    stage.at(50) { [queue] in queue.cancelPending() }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == [])
    #expect(results.entries.count == 2 && results.entries.contains("first success(true)"))
  }

  @Test func `other work can run between animations`() {
    append("a", to: 1)
    queue.queue.enqueueWithCompletion { [stage] done in
      stage.log.append("other@\(stage.time)")
      stage.runtime.pool.schedule(after: .ms(7)) { done() }
    }
    append("b", to: 0)
    stage.runtime.runUntilIdle()
    #expect(
      stage.log.entries == ["a@0", "a finished@100", "other@100", "b@107", "b finished@207"])
  }

  @Test func `the queue lives until its animations have ended`() {
    do {
      let queue = SerialAnimationQueue(runtime: stage.runtime)
      for name in ["a", "b"] {
        queue.animate(withDuration: .ms(10), animations: {}, completion: stage.ending(name))
      }
    }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["a finished@10", "b finished@20"])
  }

  @Test func `an ended item cancels its timeout timer, though its animation keeps running`() {
    let queue = SerialAnimationQueue(
      animator: stage.animator, timeout: .ms(50), runtime: stage.runtime)
    queue.animate(
      withDuration: .seconds(1_000), delay: .zero, options: .linear { $0.repetition = .forever }
    ) { [stage] in
      stage.layer.opacity = 1
    }
    stage.runtime.runUntilIdle()
    #expect(stage.time == 50 && stage.layer.isAnimated)
  }

  @Test func `an abandoned simulation leaves nothing of an endless animation`() {
    let layers = Locked<[WeakLayer]>([])
    let report = Exploration(schedules: 5).explore { runtime in
      let (queue, layer) = (SerialAnimationQueue(runtime: runtime), Layer())
      queue.animate(
        withDuration: .ms(100), delay: .zero, options: .linear { $0.repetition = .forever }
      ) {
        layer.opacity = 0
      } completion: { _ in
        withExtendedLifetime(queue) {}
      }
      runtime.pool.schedule(after: .ms(50)) { runtime.interrupt() }
      layers.withLock { $0.append(WeakLayer(layer: layer)) }
      return { nil }
    }
    #expect(report.schedules == 5)
    #expect(layers.withLock { $0.compactMap(\.layer).isEmpty })
  }

  private struct WeakLayer: Sendable { weak var layer: Layer? }

  @Test func `under any schedule animations start and end in order`() {
    let report = Exploration(schedules: 300).explore { runtime in
      let (log, layer) = (Log(), Layer())
      let queue = SerialAnimationQueue(runtime: runtime)
      for name in ["a", "b", "c"] {
        queue.animate(withDuration: .ms(10)) {
          log.append("\(name) begins")
          layer.opacity = 1 - layer.opacity
        } completion: {
          log.append("\(name) ends \($0)")
        }
      }
      runtime.pool.schedule(after: .ms(15)) { layer.removeAllAnimations() }
      return {
        let expected = [
          "a begins", "a ends true", "b begins", "b ends false", "c begins", "c ends true",
        ]
        return log.entries == expected ? nil : "\(log.entries)"
      }
    }
    #expect(report.violations == 0, "\(report)")
  }
}
