import AsyncSimulation
import SerialQueue
import Testing

@Suite struct HandlerChainTests {
  private let recording: Recording
  private let runtime: SimulatedRuntime
  private let log = Log()

  init() {
    recording = Recording()
    runtime = SimulatedRuntime(trace: recording)
  }

  private func handler(_ name: String, _ duration: Duration) -> HandlerChain.Handler {
    { [log, runtime] then in
      log.append("\(name)@\(runtime.now.nanoseconds / 1_000_000)")
      runtime.main.schedule(after: duration) { then() }
    }
  }

  @Test func `handlers run one after another without a reference to the chain`() {
    HandlerChain([handler("a", .ms(300)), handler("b", .ms(3300))], runtime: runtime)
    runtime.runUntilIdle()
    #expect(log.entries == ["a@0", "b@300"])
    #expect(runtime.now.nanoseconds == 3_600_000_000)
  }

  @Test func `one handler needs no list`() {
    let log = log
    HandlerChain(runtime: runtime) { then in
      log.append("alone")
      then()
    }
    runtime.runUntilIdle()
    #expect(log.entries == ["alone"])
  }

  @Test func `handlers can be added while the chain runs and after its end`() {
    let chain = HandlerChain([handler("a", .ms(10))], runtime: runtime)
    chain.onCompletion { [log] in log.append("end") }
    runtime.main.schedule(after: .ms(5)) { chain.append(handler("b", .ms(10))) }
    runtime.main.schedule(after: .ms(100)) { chain.append(handler("c", .ms(10))) }
    runtime.runUntilIdle()
    #expect(log.entries == ["a@0", "end", "b@10", "c@100"])
  }

  @Test func `a second then does not drop or repeat a handler`() {
    let chain = HandlerChain(runtime: runtime)
    chain.append { then in
      then()
      then()
    }
    chain.append(handler("b", .ms(10)))
    chain.append(handler("c", .ms(10)))
    runtime.runUntilIdle()
    #expect(log.entries == ["b@0", "c@10"])
    #expect(recording.misuse == ["completed-twice"])
  }

  @Test func `a dropped then is reported and the chain continues`() {
    HandlerChain([{ _ in }, handler("b", .ms(10))], runtime: runtime)
    runtime.runUntilIdle()
    #expect(log.entries == ["b@0"])
    #expect(recording.misuse == ["completion-dropped"])
  }

  @Test func `handlers that have not started can be removed`() {
    let chain = HandlerChain([handler("a", .ms(10)), handler("b", .ms(10))], runtime: runtime)
    runtime.main.schedule(after: .ms(5)) { chain.cancelPending() }
    runtime.runUntilIdle()
    #expect(log.entries == ["a@0"])
  }
}
