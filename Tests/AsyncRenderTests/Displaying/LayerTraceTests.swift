import AsyncRender
import PatternTesting
import Testing
import TimingTrace

/// Checks what layers record in the trace without a pattern and without a run.
@Suite struct LayerTraceTests {
  private let recorder = Recorder(clock: .virtual)
  private let runtime: SimulatedRuntime

  init() { runtime = SimulatedRuntime(trace: recorder) }

  private var record: RunRecord {
    RunRecord(events: recorder.snapshot(), clock: .virtual, result: .success(.none))
  }

  private func layer(
    _ renderer: Renderer, _ label: String = "title", steps: Int = 2,
    policy: DisplayPolicy = .cancelLatest
  ) -> RenderLayer {
    RenderLayer(
      size: Size(width: 2, height: 2), policy: policy, renderer: renderer, label: label
    ) { [runtime] _ in
      DisplayTask { _, _, isCancelled in
        for _ in 0..<steps where !isCancelled() { runtime.work(for: .ms(5)) }
      }
    }
  }

  private func at(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    _ = runtime.main.schedule(after: .ms(milliseconds), body)
  }

  private func step(_ path: String) throws -> StepRecord {
    try #require(record.steps.first { $0.path == path }, "\(record.steps.map(\.path))")
  }

  @Test func `each display is a step of its layer with its wait, lane, work and end`()
    throws
  {
    let renderer = Renderer(lanes: .queues(count: 1), runtime: runtime)
    let (busy, title) = (layer(renderer, "busy"), layer(renderer))
    at(1) {
      busy.setNeedsDisplay()
      title.setNeedsDisplay()
    }
    at(14) { title.setNeedsDisplay() }
    runtime.runUntilIdle()
    let first = try step("title/draw-1")
    #expect(first.pattern == "draw")
    #expect(first.submitted == 1_000_000 && first.started == 11_000_000)
    #expect(first.outcome == .cancelled && first.work == 5_000_000)
    #expect(first.lane?.hasPrefix("pool-") == true)
    let whole = try step("title")
    #expect(whole.pattern == "layer" && whole.outcome == .success)
    #expect(whole.submitted == 0 && whole.finished == 26_000_000)
    let second = try step("title/draw-2")
    #expect(second.outcome == .success && second.work == 10_000_000)
    #expect(record.lints == [])
    withExtendedLifetime([busy, title]) {}
  }

  @Test func `a display that is cancelled while queued never starts`() throws {
    let renderer = Renderer(lanes: .workers(count: 1), runtime: runtime)
    let (busy, title) = (layer(renderer, "busy"), layer(renderer))
    at(1) {
      busy.setNeedsDisplay()
      title.setNeedsDisplay()
    }
    at(3) { title.cancelDisplay() }
    runtime.runUntilIdle()
    let step = try step("title/draw-1")
    #expect(step.started == nil && step.outcome == .cancelled)
    withExtendedLifetime([busy, title]) {}
  }

  @Test func `requests that come too fast give the finding wasted-drawing`() throws {
    let title = layer(Renderer(runtime: runtime), steps: 3)
    for time in 0..<8 { at(time * 7) { title.setNeedsDisplay() } }
    runtime.runUntilIdle()
    let lint = try #require(record.lints.first)
    #expect(record.lints.count == 1 && lint.rule == "wasted-drawing")
    #expect(lint.step == "title" && lint.message.contains("“title” drew for"))
    let wasted = try #require(record.counters.first { $0.name == "wasted ms" })
    #expect(wasted.points.last?.value == title.metrics.wastedTime / .milliseconds(1))
    // The fix that the finding suggests.
    title.policy = .finishThenLatest
  }

  @Test func `finishing first and then drawing the latest wastes nothing`() {
    let title = layer(Renderer(runtime: runtime), steps: 3, policy: .finishThenLatest)
    for time in 0..<8 { at(time * 7) { title.setNeedsDisplay() } }
    runtime.runUntilIdle()
    #expect(record.lints == [] && title.metrics.drawn > 2)
  }

  @Test func `each announcement is recorded with exactly one end, in every way of display`() {
    let title = layer(Renderer(runtime: runtime))
    at(0) { title.setNeedsDisplay() }
    at(3) { title.displayImmediately() }
    at(20) {
      title.size = .zero
      title.setNeedsDisplay()
    }
    runtime.runUntilIdle()
    let marks = recorder.snapshot().filter { $0.kind == .mark && $0.name != "asked" }
    #expect(
      marks.map { "\($0.name) \($0.detailText)" } == [
        "will-display draw-1", "will-display draw-2", "did-display draw-2, finished",
        "did-display draw-1, cancelled", "will-display draw-3", "did-display draw-3, finished",
      ])
  }

  @Test
  func `a layer is a child of the step that made it, and the requesting step spawns the display`() {
    let renderer = Renderer(runtime: runtime)
    let made = Locked<RenderLayer?>(nil)
    let (maker, asker) = (Span(id: 5), Span(id: 6))
    LaneContext.current.perform(for: maker) {
      let layer = layer(renderer)
      made.withLock { $0 = layer }
    }
    LaneContext.current.perform(for: asker) {
      at(1) { made.withLock { $0 }?.setNeedsDisplay() }
    }
    runtime.runUntilIdle()
    let events = recorder.snapshot()
    let submitted = events.filter { $0.kind == .submitted }
    #expect(submitted.map(\.name) == ["title", "draw-1"])
    #expect(submitted.first?.parent == maker && submitted.last?.parent == submitted.first?.span)
    #expect(submitted.map(\.cause) == [.itself, Cause(.parent, asker)])
  }

  @Test func `the same seed gives the same recording`() {
    func trace() -> [String] {
      let recorder = Recorder(clock: .virtual)
      let runtime = SimulatedRuntime(seed: 7, trace: recorder)
      let renderer = Renderer(runtime: runtime)
      let layers = (0..<4).map { number in
        RenderLayer(size: Size(width: 1, height: 1), renderer: renderer, label: "\(number)") { _ in
          DisplayTask { _, _, _ in runtime.work(for: .ms(3)) }
        }
      }
      for layer in layers + layers { runtime.pool.schedule { layer.setNeedsDisplay() } }
      runtime.runUntilIdle()
      return recorder.snapshot().map { "\($0)" }
    }
    #expect(trace() == trace())
  }

  @Test(.timeLimit(.minutes(1)))
  func `with this import alone a program gets a trace on the machine's clock`() async throws {
    let recorder = Recorder(clock: .live)
    let renderer = Renderer(runtime: LiveRuntime.shared.tracing(to: recorder))
    let title = RenderLayer(size: Size(width: 40, height: 20), renderer: renderer, label: "title") {
      _ in
      DisplayTask { canvas, size, _ in
        canvas.fill(Path(Rect(origin: .zero, size: size)), with: .color(.black))
      }
    }
    _ = try await title.setNeedsDisplay().value
    let record = RunRecord(
      events: recorder.snapshot(), clock: .live, result: .success(.none))
    #expect(record.steps.map(\.path) == ["title", "title/draw-1"])
    let drawn = try #require(record.steps.last)
    #expect(drawn.outcome == .success && drawn.lane != "main" && record.lints == [])
  }
}
