import AsyncSimulation
import SerialAnimation
import Testing

/// Tests what happens to an animation when another change sets its property.
@Suite struct RetargetingTests {
  private let stage = Stage()

  init() { stage.layer.opacity = 0 }

  @Test func `the next animation starts from the shown value`() {
    stage.animate("first", to: 1)
    stage.at(50) { [stage] in stage.animate("second", to: 0) }
    #expect(stage.shown(at: [49, 50, 100, 149]) == [490, 500, 250, 5])
    #expect(stage.log.entries == ["first unfinished@50", "second finished@150"])
  }

  @Test func `the next animation starts from the target of the first if the option says so`() {
    stage.animate("first", to: 1)
    stage.at(50) { [stage] in
      stage.animate("second", to: 0, .linear { $0.beginsFromCurrentState = false })
    }
    #expect(stage.shown(at: [49, 50, 100, 149]) == [490, 1000, 500, 10])
    #expect(stage.log.entries == ["first unfinished@50", "second finished@150"])
  }

  @Test func `while the next animation is delayed, the shown value stays`() {
    stage.animate("first", to: 1)
    stage.at(50) { [stage] in stage.animate("second", to: 0, delay: .ms(20)) }
    #expect(stage.shown(at: [60, 70, 120]) == [500, 500, 250])
    #expect(stage.log.entries == ["first unfinished@50", "second finished@170"])
  }

  @Test func `a delayed animation is replaced before it moves`() {
    stage.animate("first", to: 1, delay: .ms(80))
    stage.at(50) { [stage] in stage.animate("second", to: 0.5) }
    #expect(stage.shown(at: [50, 100, 150]) == [0, 250, 500])
    #expect(stage.log.entries == ["first unfinished@50", "second finished@150"])
  }

  @Test func `an animation ends unfinished when its last property is replaced`() {
    stage.animator.animate(withDuration: .ms(100), delay: .zero, options: .linear) { [stage] in
      stage.layer.opacity = 1
      stage.layer.scale = 2
    } completion: { [stage] in
      stage.ending("both")($0)
    }
    stage.at(50) { [stage] in stage.animate("one", to: 0, for: .ms(10)) }
    stage.at(75) { [stage] in #expect(stage.layer.presentation.scale == 1.75) }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["one finished@60", "both unfinished@100"])
  }

  @Test func `a change outside of an animation takes effect immediately`() {
    stage.animate("fade", to: 1)
    stage.at(50) { [stage] in
      stage.layer.opacity = 0.3
      #expect(stage.layer.presentation.opacity == 0.3)
      #expect(stage.log.entries == [])
    }
    #expect(stage.shown(at: [75, 100]) == [300, 300])
    #expect(stage.log.entries == ["fade unfinished@50"])
  }

  @Test func `a change of another property has no effect on the animation`() {
    stage.animate("fade", to: 1)
    stage.at(50) { [stage] in stage.layer.scale = 3 }
    #expect(stage.shown(at: [75]) == [750])
    #expect(stage.log.entries == ["fade finished@100"])
  }

  @Test func `after animations are removed, the layer shows the model value`() {
    stage.animate("fade", to: 1)
    stage.at(50) { [stage] in
      stage.layer.removeAllAnimations()
      stage.layer.removeAllAnimations()
      #expect(stage.layer.presentation.opacity == 1)
    }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["fade unfinished@50"])
    #expect(stage.time == 50, "no timer is left")
  }

  @Test func `one of two animations can be removed`() {
    stage.animate("fade", to: 1)
    stage.animator.animate(
      withDuration: .ms(100), animations: { [stage] in stage.layer.scale = 2 },
      completion: stage.ending("grow"))
    stage.at(50) { [stage] in stage.layer.removeAnimation(of: .scale) }
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["grow unfinished@50", "fade finished@100"])
  }

  @Test func `an endless animation ends when it is replaced`() {
    stage.animate("pulse", to: 1, .linear { $0.repetition = .forever })
    stage.at(1_050) { [stage] in stage.animate("stop", to: 0) }
    #expect(stage.shown(at: [950, 1_049, 1_100]) == [500, 490, 250])
    #expect(stage.log.entries == ["pulse unfinished@1050", "stop finished@1150"])
  }

  @Test func `a completion that resets an autoreversed property leaves no trace of the old target`()
  {
    stage.animator.animate(
      withDuration: .ms(100), delay: .zero, options: .linear { $0.autoreverses = true }
    ) { [stage] in
      stage.layer.opacity = 1
    } completion: { [stage] _ in
      #expect(stage.layer.presentation.opacity == 1)
      stage.layer.opacity = 0
    }
    #expect(stage.shown(at: [199, 201]) == [10, 0])
  }

  // MARK: Nested blocks

  @Test func `a nested animation inherits the duration and the timing of the outer one`() {
    nested(.init(timing: .curve(.easeIn)))
    #expect(stage.shown(at: [50]) == [500])
    #expect(stage.log.entries == ["inner finished@100", "outer finished@100"])
  }

  @Test func `a nested animation can override the inherited values`() {
    nested(.linear { $0.overridesInheritedDuration = true })
    #expect(stage.shown(at: [20, 40]) == [500, 1000])
    #expect(stage.log.entries == ["inner finished@40", "outer finished@100"])
  }

  private func nested(_ options: AnimationOptions) {
    stage.animator.animate(withDuration: .ms(100), delay: .zero, options: .linear) { [stage] in
      stage.animate("inner", to: 1, for: .ms(40), options)
      stage.layer.scale = 2
    } completion: { [stage] in
      stage.ending("outer")($0)
    }
  }

  @Test func `the last assignment of a property wins, inner or outer`() {
    stage.animator.animate(withDuration: .ms(100), delay: .zero, options: .linear) { [stage] in
      stage.layer.opacity = 0.2
      stage.animate("inner", to: 0.4)
      stage.layer.opacity = 1
    } completion: { [stage] in
      stage.ending("outer")($0)
    }
    #expect(stage.shown(at: [50]) == [500])
    #expect(stage.log.entries == ["inner unfinished@0", "outer unfinished@100"])
  }

  @Test func `changes in withoutAnimation are not animated`() {
    stage.animator.animate(withDuration: .ms(100), delay: .zero, options: .linear) { [stage] in
      stage.layer.opacity = 1
      LayerAnimator.withoutAnimation { stage.layer.scale = 3 }
    }
    stage.at(1) { [stage] in #expect(stage.layer.presentation.scale == 3) }
    #expect(stage.shown(at: [50]) == [500])
  }

  @Test func `a task that is created in the block is outside of the animation`() async {
    let made = Locked<Task<Void, Never>?>(nil)
    stage.animator.animate(withDuration: .ms(100)) { [stage] in
      let task = Task { stage.layer.scale = 3 }
      made.withLock { $0 = task }
    }
    stage.runtime.advance(by: .ms(10))
    await made.withLock { $0 }?.value
    #expect(stage.layer.presentation.scale == 3)
  }

  // MARK: Any schedule

  @Test func `at the instant of its end an animation is finished, under any schedule`() {
    let report = Exploration(schedules: 300).explore { runtime in
      let (animator, layer, log) = (LayerAnimator(runtime: runtime), Layer(), Log())
      runtime.main.schedule {
        animator.animate(withDuration: .ms(10)) {
          layer.opacity = 0
        } completion: {
          log.append("first \($0)")
        }
      }
      runtime.pool.schedule(after: .ms(10)) {
        animator.animate(withDuration: .ms(10)) {
          layer.opacity = 1
        } completion: {
          log.append("second \($0)")
        }
      }
      return {
        log.entries == ["first true", "second true"]
          ? nil : "\(log.entries)"
      }
    }
    #expect(report.violations == 0, "\(report)")
  }

  @Test func `under any concurrent changes each completion is called once`() {
    let report = Exploration(schedules: 500).explore { runtime in
      let (animator, layer, log) = (LayerAnimator(runtime: runtime), Layer(), Log())
      for name in ["a", "b", "c"] {
        runtime.pool.schedule {
          animator.animate(withDuration: .ms(10)) {
            layer.opacity = 0
            layer.scale = 2
          } completion: { _ in
            log.append(name)
          }
        }
      }
      runtime.pool.schedule(after: .ms(5)) { layer.opacity = 0.5 }
      runtime.pool.schedule(after: .ms(5)) { layer.removeAllAnimations() }
      runtime.pool.schedule(after: .ms(10)) { layer.removeAllAnimations() }
      return {
        log.entries.sorted() == ["a", "b", "c"] && !layer.isAnimated
          ? nil : "\(log.entries)"
      }
    }
    #expect(report.violations == 0, "\(report)")
  }
}
