import PatternTesting
import Promises
import Testing

/// What chains tell the trace by themselves, without a pattern and without a run.
@Suite struct PromiseTraceTests {
  @Test func `promises are no spans: a handler acts on behalf of whoever settles its promise`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let (settler, listener) = (Span(id: 5), Span(id: 6))
    let (page, resolver) = Promise<Int, any Error>.withResolvers(runtime: runtime)
    let spans = Log()
    LaneContext.current.perform(for: listener) {
      page.map { number in
        spans.append("\(LaneContext.current.span)")
        runtime.work(for: .ms(5))
        return number + 1
      }.whenComplete { _ in spans.append("\(LaneContext.current.span)") }
    }
    LaneContext.current.perform(for: settler) { resolver.fulfill(1) }
    runtime.runUntilIdle()
    #expect(spans.entries == ["\(settler)", "\(settler)"])
    #expect(recording.events.map(\.kind) == [.worked] && recording.events.first?.span == settler)
  }

  @Test func `a failure that nobody takes is told`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    do {
      let (page, resolver) = Promise<Int, any Error>.withResolvers(runtime: runtime)
      page.map { $0 + 1 }.done { _ in }
      resolver.reject(StepFailure("no such page"))
    }
    runtime.runUntilIdle()
    #expect(recording.events.map(\.kind) == [.misuse] && recording.misuse == ["unhandled-failure"])
  }
}
