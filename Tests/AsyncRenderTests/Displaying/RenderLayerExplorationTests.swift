import Testing

@testable import AsyncRender
@testable import AsyncRenderPatterns

/// Properties that hold under every explored schedule.
@Suite struct RenderLayerExplorationTests {
  /// Counts how often each display was announced and how often its end was reported.
  private struct Ledger: Sendable {
    private struct State: Sendable {
      var wills: [Int] = []
      var dids: [Int: Int] = [:]
      var wrong: [String] = []
    }

    private let state = Locked(State())

    func will() -> Int {
      state.withLock { state in
        state.wills.append(state.wills.count)
        return state.wills.count - 1
      }
    }

    func did(_ number: Int) {
      if LaneContext.current.lane != .main { note("notified on another lane than main") }
      state.withLock { $0.dids[number, default: 0] += 1 }
    }

    func note(_ wrong: String) { state.withLock { $0.wrong.append(wrong) } }

    var finding: String? {
      state.withLock { state in
        if let first = state.wrong.first { return first }
        let unequal = state.wills.filter { state.dids[$0] != 1 }
        return unequal.isEmpty
          ? nil
          : "of \(state.wills.count) displays, \(unequal.count) did not end exactly once"
      }
    }

    /// Draws in two steps, between which other work may run.
    func task(on runtime: SimulatedRuntime) -> DisplayTask {
      let number = Locked(0)
      return DisplayTask { _, _, isCancelled in
        isCancelled.onCancel { if !isCancelled() { note("notified but not cancelled") } }
        for _ in 0..<2 where !isCancelled() { runtime.work(for: .zero) }
      } willDisplay: { _ in
        let next = will()
        number.withLock { $0 = next }
      } didDisplay: { layer, finished in
        did(number.withLock { $0 })
        if finished, layer?.contents == nil { note("finished without contents") }
      }
    }

    func layer(_ renderer: Renderer, _ runtime: SimulatedRuntime) -> RenderLayer {
      RenderLayer(size: Size(width: 1, height: 1), renderer: renderer) { _ in
        task(on: runtime)
      }
    }
  }

  @Test func `the original's missing didDisplay is found`() {
    let report = Exploration(schedules: 300, workers: 2).explore { runtime in
      let ledger = Ledger()
      let queues = YYAsyncLayer.Queues(on: runtime)
      let layers = (0..<2).map { _ in
        YYAsyncLayer(size: Size(width: 1, height: 1), queues: queues, runtime: runtime) {
          let number = Locked(0)
          return YYAsyncLayer.DisplayTask {
            let next = ledger.will()
            number.withLock { $0 = next }
          } display: { _, _, isCancelled in
            for _ in 0..<2 where !isCancelled() { runtime.work(for: .zero) }
          } didDisplay: { _ in
            ledger.did(number.withLock { $0 })
          }
        }
      }
      for layer in layers {
        runtime.main.schedule { layer.setNeedsDisplay() }
        runtime.pool.schedule { layer.setNeedsDisplay() }
      }
      return { ledger.finding }
    }
    #expect(report.violations > 0)
    #expect(report.violation?.finding.description.contains("did not end exactly once") == true)
  }

  static let lanes: [Renderer.Lanes] = [.queues(count: 1), .queues(count: 2), .workers(count: 2)]
  static let policies: [DisplayPolicy] = [.cancelLatest, .finishThenLatest, .atLeastEvery(2)]

  @Test(arguments: lanes, policies)
  func `each willDisplay has one didDisplay, whatever happens in between`(
    _ lanes: Renderer.Lanes, _ policy: DisplayPolicy
  ) {
    let report = Exploration(schedules: 150, workers: 3).explore { runtime in
      let ledger = Ledger()
      let renderer = Renderer(lanes: lanes, runtime: runtime)
      let kept = (0..<2).map { _ in ledger.layer(renderer, runtime) }
      let going = Locked(RenderLayer?.some(ledger.layer(renderer, runtime)))
      let waited = Locked(0)
      for layer in kept { layer.policy = policy }
      let group = DisplayGroup(kept)
      runtime.pool.schedule {
        for _ in 0..<3 {
          kept[0].setNeedsDisplay().onCompletion { _ in waited.withLock { $0 += 1 } }
          going.withLock { $0 }?.setNeedsDisplay()
          runtime.work(for: .zero)
          kept[1].setNeedsDisplay()
        }
      }
      runtime.pool.schedule {
        runtime.work(for: .zero)
        kept[1].cancelDisplay()
        kept[0].isDisplaySuspended = true
        runtime.work(for: .zero)
        kept[0].isDisplaySuspended = false
      }
      runtime.pool.schedule {
        for _ in 0..<3 { runtime.work(for: .zero) }
        going.withLock { $0 = nil }
        kept[0].priority = .high
      }
      runtime.main.schedule {
        kept[1].setNeedsDisplay()
        kept[1].displayImmediately()
      }
      return {
        if let finding = ledger.finding { return finding }
        let metrics = renderer.metrics
        if metrics.underWay != 0 { return "\(metrics.underWay) displays have no end" }
        // The last request is shown.
        if kept[0].contents == nil || kept[0].needsDisplay { return "a request was lost" }
        if waited.withLock({ $0 }) != 3 { return "\(waited.withLock { $0 }) of 3 waits ended" }
        withExtendedLifetime(group) {}
        return nil
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test(arguments: policies) func `the last contents shown are the last ones requested`(
    _ policy: DisplayPolicy
  ) {
    let report = Exploration(schedules: 300, workers: 3).explore { runtime in
      let renderer = Renderer(runtime: runtime)
      let (model, shown) = (Locked(0), Locked<[Int]>([]))
      let layer = RenderLayer(
        size: Size(width: 1, height: 1), policy: policy, renderer: renderer
      ) { _ in
        let value = model.withLock { $0 }
        return DisplayTask { _, _, _ in
          runtime.work(for: .zero)
        } didDisplay: { _, finished in
          if finished { shown.withLock { $0.append(value) } }
        }
      }
      for worker in 0..<2 {
        runtime.pool.schedule {
          for _ in 0..<3 {
            model.withLock { $0 += 1 }
            layer.setNeedsDisplay()
            if worker == 0 { runtime.work(for: .zero) }
          }
        }
      }
      return {
        let shown = withExtendedLifetime(layer) { shown.withLock { $0 } }
        if shown != shown.sorted() { return "shown out of order: \(shown)" }
        return shown.last == 6 ? nil : "shown last: \(shown)"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }
}
