import PatternTesting
import Promises
import Testing

/// What chains record in the trace without a pattern and without a run.
@Suite struct PromiseTraceTests {
  @Test func `a handler acts on behalf of its chain`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let (page, resolver) = Promise<Int, any Error>.withResolvers(runtime: runtime)
    page.map { number in
      runtime.work(for: .ms(5))
      return number + 1
    }.ignoringFailure()
    LaneContext.current.perform(for: Span(id: 5)) { resolver.fulfill(1) }
    runtime.runUntilIdle()
    let chain = recording.events.first?.span
    #expect(recording.events.filter { $0.kind == .worked }.map(\.span) == [chain])
  }

  @Test func `an unhandled failure is recorded`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    do {
      let (page, resolver) = Promise<Int, any Error>.withResolvers(runtime: runtime)
      page.map { $0 + 1 }.done { _ in }
      resolver.reject(StepFailure("no such page"))
    }
    runtime.runUntilIdle()
    #expect(recording.misuse == ["unhandled-failure"])
  }
}
