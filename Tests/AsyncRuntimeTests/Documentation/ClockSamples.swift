import AsyncRuntime
import PatternTesting
import Promises
import Testing

@Suite(.timeLimit(.minutes(1))) struct ClockSamples {
  @Test func `a clock that the test advances`() async {
    let clock = ManualClock()
    let runtime = ClockRuntime(clock)
    let alarm = Promise<Void, Never>.after(.seconds(5), runtime: runtime).map { "wake up" }

    clock.advance(by: .seconds(5))
    #expect(await alarm.value == "wake up")
  }
}
