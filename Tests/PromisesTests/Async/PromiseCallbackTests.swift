import Promises
import Testing

/// Promises that wrap functions with callbacks.
@Suite struct PromiseCallbackTests {
  private struct Bad: Error, Equatable {}

  /// Typical legacy functions, in which nothing is Sendable.
  private enum Legacy {
    static func result(_ done: @escaping (Result<Int, Bad>) -> Void) { done(.success(3)) }
    static func value(_ done: @escaping (Int) -> Void) { done(3) }
    static func optional(_ done: @escaping (Int?) -> Void) { done(nil) }
    static func flag(_ done: @escaping (Bool) -> Void) { done(true) }
    static func nothing(_ done: () -> Void) { done() }
    static func error(_ error: (any Error)?, _ done: @escaping ((any Error)?) -> Void) {
      done(error)
    }
    static func typed(_ done: @escaping (Bad?) -> Void) { done(Bad()) }
    static func both(
      _ value: Int?, _ error: (any Error)?, _ done: @escaping (Int?, (any Error)?) -> Void
    ) { done(value, error) }
  }

  /// The outcome of a promise, as text.
  private func text<Success, Failure>(_ promise: Promise<Success, Failure>) -> String {
    switch promise.current {
    case .success(let value)?: "\(value)"
    case .failure(let error)?:
      (error as? CallbackContradiction).map { "✗\($0.kind)" } ?? "✗\(error)"
    case nil: "pending"
    }
  }

  @Test func `a result`() {
    #expect(text(.fromResult { done in Legacy.result(done) }) == "3")
    #expect(text(Promise<Int, Bad>.fromResult { done in done(.failure(Bad())) }) == "✗Bad()")
  }

  @Test func `a value that cannot fail and an optional value`() {
    #expect(text(.fromValue { done in Legacy.value(done) }) == "3")
    #expect(text(.fromValue { done in Legacy.flag(done) }) == "true")
    #expect(text(.fromValue { done in Legacy.optional(done) }) == "nil")
    #expect(text(.fromCompletion { done in Legacy.nothing(done) }) == "()")
  }

  @Test func `an optional error without a value`() {
    #expect(text(.fromError { done in Legacy.error(nil, done) }) == "()")
    #expect(text(.fromError { done in Legacy.error(Bad(), done) }) == "✗Bad()")
    let typed: Promise<Void, Bad> = .fromError { done in Legacy.typed(done) }
    #expect(typed.current.map { $0.mapError(\.self) } != nil && text(typed) == "✗Bad()")
  }

  @Test func `a value or an error`() {
    #expect(text(.fromValueOrError { done in Legacy.both(3, nil, done) }) == "3")
    #expect(text(.fromValueOrError { done in Legacy.both(nil, Bad(), done) }) == "✗Bad()")
  }

  @Test func `neither value nor error, and both, fail with a clear error`() throws {
    #expect(text(.fromValueOrError { done in Legacy.both(nil, nil, done) }) == "✗neither")
    #expect(text(.fromValueOrError { done in Legacy.both(3, Bad(), done) }) == "✗both")
    let line = #line + 1
    let promise = Promise.fromValueOrError { done in Legacy.both(3, Bad(), done) }
    guard case .failure(let error as CallbackContradiction)? = promise.current else {
      Issue.record("\(text(promise))")
      return
    }
    #expect(error.underlyingError is Bad)
    #expect(error.site == "PromisesTests/PromiseCallbackTests.swift:\(line)")
    #expect(
      "\(error)" == """
        the callback of the promise made at \(error.site) got a value and an error (Bad()); make the \
        promise with its init, and decide there what that means
        """)
  }

  @Test func `a thrown error`() {
    let promise = Promise<Int, any Error>.fromValueOrError { _ in throw Bad() }
    #expect(text(promise) == "✗Bad()")
  }

  @Test func `a second call and a missing call are reported`() {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let twice = Promise<Int, any Error>.fromValueOrError(runtime: runtime) { done in
      done(3, nil)
      done(nil, Bad())
    }
    let never = Promise<Int, any Error>.fromValueOrError(runtime: runtime) { _ in }
    runtime.runUntilIdle()
    #expect(text(twice) == "3")
    #expect(never.current.map { "\($0)" }?.contains("was released unresolved") == true)
    #expect(recording.misuse.sorted() == ["completed-twice", "completion-dropped"])
  }

  @Test func `cancelling needs no support from the wrapped function`() {
    let late = Locked<(@Sendable (Result<Int, any Error>) -> Void)?>(nil)
    let promise = Promise<Int, any Error>.fromResult { done in late.withLock { $0 = done } }
    promise.cancel()
    late.withLock { $0 }?(.success(3))
    #expect(promise.isCancelled)
  }
}
