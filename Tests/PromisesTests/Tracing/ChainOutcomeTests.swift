import PatternTesting
import Promises
import Testing
import TimingTrace

/// How the spans of chains end: as the last of their promises.
@Suite struct ChainOutcomeTests {
  private let recording = ChainRecording()
  private let failure = StepFailure("no page")

  private typealias Number = ChainRecording.Number

  /// How a chain ends whose links `build` makes, and whose first promise `settle` settles.
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

  @Test func `a failure from which it has recovered`() {
    #expect(
      end {
        $0.reject(failure)
      } _: {
        $0.recover { _ in 0 }
      }.hasPrefix("finished@0 success"))
  }

  @Test func `a failure, whatever looks on`() {
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

  @Test func `a cancellation, and what cancelled it`() {
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

  @Test func `what will never be settled counts as cancelled`() {
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
