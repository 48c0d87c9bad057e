import AsyncRender
import PatternTesting
import Testing

/// The failure of a display that has nothing to draw on.
@Suite struct FailureTests {
  private let recording = Recording()
  private let runtime: SimulatedRuntime
  private let renderer: Renderer

  init() {
    runtime = SimulatedRuntime(trace: recording)
    renderer = Renderer(runtime: runtime)
  }

  private func layer(asynchronously: Bool, _ log: Log = Log()) -> RenderLayer {
    RenderLayer(
      size: Size(width: 1e300, height: 2), displaysAsynchronously: asynchronously,
      renderer: renderer, label: "poster"
    ) { _ in
      DisplayTask(display: { _, _, _ in }, didDisplay: { log.append("did \($1)") })
    }
  }

  @Test(arguments: [true, false]) func `an unhandled failure is reported`(asynchronously: Bool) {
    let layer = layer(asynchronously: asynchronously)
    layer.setNeedsDisplay()
    runtime.runUntilIdle()
    let reports = recording.events.filter { $0.kind == .misuse }
    #expect(reports.map(\.name) == ["failed-display"])
    for part in ["“poster”", "onFailure", "displayed()"] {
      #expect(reports.first?.detail.contains(part) == true, "\(reports)")
    }
    let ends = recording.events.filter { $0.kind == .mark && $0.name == "did-display" }
    #expect(ends.map(\.detailText) == ["draw-1, failed"])
  }

  @Test(arguments: [true, false]) func `a handler gets each failure before didDisplay is called`(
    asynchronously: Bool
  ) {
    let log = Log()
    let layer = layer(asynchronously: asynchronously, log)
    layer.onFailure = { _ in log.append("failed on \(LaneContext.current.lane.number)") }
    for _ in 1...2 {
      layer.setNeedsDisplay()
      runtime.runUntilIdle()
    }
    #expect(
      log.entries == ["failed on 0", "did false", "failed on 0", "did false"])
    #expect(recording.misuse == [])
  }

  @Test func `a failure that a waiting caller gets is not reported`() {
    let log = Log()
    let layer = layer(asynchronously: true)
    layer.setNeedsDisplay().onCompletion { log.append("\($0.map { _ in "" })") }
    runtime.runUntilIdle()
    #expect(log.entries.count == 1 && recording.misuse == [])
  }

  @Test(arguments: [true, false])
  func `a failure that a caller queries as soon as it ends is not reported`(
    asynchronously: Bool
  ) {
    let log = Log()
    let asks = Locked(true)
    let layer = RenderLayer(
      size: Size(width: 1e300, height: 2), displaysAsynchronously: asynchronously,
      renderer: renderer
    ) { _ in
      DisplayTask { _, _, _ in
      } didDisplay: { layer, _ in
        if asks.withLock({ $0 }) { layer?.onDisplayed { log.append($0.summary) } }
      }
    }
    layer.setNeedsDisplay()
    runtime.runUntilIdle()
    #expect(log.entries == ["failed"] && recording.misuse == [])
    // No caller queries the next failure, so it is reported.
    asks.withLock { $0 = false }
    layer.setNeedsDisplay()
    runtime.runUntilIdle()
    #expect(recording.misuse == ["failed-display"])
  }

  @Test func `the layer has the error until a display succeeds`() {
    let layer = layer(asynchronously: true)
    layer.onFailure = { _ in }
    #expect(layer.error == nil)
    layer.setNeedsDisplay()
    runtime.runUntilIdle()
    #expect(layer.error != nil)
    layer.size = Size(width: 2, height: 2)
    layer.setNeedsDisplay()
    runtime.runUntilIdle()
    #expect(layer.error == nil && layer.contents != nil)
    layer.size = Size(width: 1e300, height: 2)
    layer.displayImmediately()
    runtime.runUntilIdle()
    #expect(layer.error != nil && layer.contents != nil)
  }
}
