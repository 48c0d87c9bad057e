import PatternTesting
import Promises
import Testing
import TimingTrace

/// The documentation's sample of chains in a trace, and the picture that the sample prints.
@Suite struct TraceSamples {
  private let recorder = Recorder(clock: .virtual)
  private let runtime: SimulatedRuntime
  private let file = "a file"

  init() { runtime = SimulatedRuntime(trace: recorder) }

  @Sendable private func compress(_ file: String) -> String {
    runtime.work(for: .ms(20))
    return file
  }

  /// A promise that is fulfilled with `text` after this many milliseconds.
  private func reply(_ text: String, after milliseconds: Int) -> Promise<String, any Error> {
    Promise { resolver in
      runtime.pool.schedule(after: .ms(milliseconds)) { resolver.fulfill(text) }
    }
  }

  private func read(_ file: String) -> Promise<String, any Error> { reply(file, after: 15) }
  @Sendable private func send(_ file: String) -> Promise<String, any Error> {
    reply(file, after: 30)
  }
  @Sendable private func note(_ receipt: String) { runtime.work(for: .ms(5)) }

  @Test func `the picture equals the output of the program`() throws {
    let run = recorder.run("upload", on: runtime) {
      withPromiseDefaults(on: .pool, runtime: runtime) {
        let sent = read(file).map { compress($0) }.then { send($0).named("send") }
        sent.done { note($0) }.named("file")
      }
      runtime.runUntilIdle()
    }
    let picture = Timeline(run.record).render().split(separator: "\n")
    let shown = try DocumentedCode(of: "Promises").blocks(of: "Promises", in: "text")
    #expect(shown.contains { $0.lines == picture }, "\(picture.joined(separator: "\n"))")
  }
}
