import PatternTesting
import Promises
import Testing
import TimingTrace

/// The span of a chain ends with the outcome of the chain's last promise.
@Suite struct ChainOutcomeTests {
  private let recording = ChainRecording()
  private let failure = StepFailure("no page")

  private typealias Number = ChainRecording.Number

  /// The end of a chain whose links `build` makes and whose first promise `settle` settles.
  private func end(settle: (Number.Resolver) -> Void, _ build: (Number) -> Any) -> String {
    let (promise, resolver) = recording.pending(.inline)
    promise.named("page")
    let last = build(promise)
    settle(resolver)
    return withExtendedLifetime(last) { recording.end(of: "page") ?? "unfinished" }
  }

  @Test func `a value`() {
    #expect(
      end {
        $0.fulfill(1)
      } _: {
        $0.map { $0 }.done { _ in }
      }.hasPrefix("finished@0 success"))
  }

  @Test func `a failure from which the chain recovers`() {
    #expect(
      end {
        $0.reject(failure)
      } _: {
        $0.recover { _ in 0 }
      }.hasPrefix("finished@0 success"))
  }

  @Test func `a failure that observers do not change`() {
    let expected = "finished@0 failure: no page"
    #expect(
      end {
        $0.reject(failure)
      } _: {
        $0.map { $0 }.catch { _ in }
      }.hasPrefix(expected))
    #expect(
      end {
        $0.reject(failure)
      } _: {
        $0.whenComplete { _ in }
      }.hasPrefix(expected))
  }

  @Test func `an error that a handler throws`() {
    let failure = failure
    let end = end {
      $0.fulfill(1)
    } _: {
      $0.tryMap { _ throws -> Int in throw failure }.ignoringFailure()
    }
    #expect(end.hasPrefix("finished@0 failure: no page"))
  }

  @Test func `a cancellation and its cause`() {
    #expect(
      end { _ in
      } _: {
        ($0.map { $0 }.cancel(), $0.cancel())
      }
        == "finished@0 cancelled by cancellation outside")
    #expect(
      end {
        $0.reject(CancellationError())
      } _: {
        $0.map { $0 }
      }.hasPrefix("finished@0 cancelled"))
  }

  @Test func `a chain that will never be settled counts as cancelled`() {
    #expect(
      end {
        $0.abandon()
      } _: {
        $0.map { $0 }
      }.hasPrefix("finished@0 cancelled"))
    do { Promise<Int, Never>.lazy(runtime: recording.runtime) { $0.fulfill(1) }.named("unused") }
    #expect(recording.end(of: "unused")?.hasPrefix("finished@0 cancelled") == true)
  }
}
