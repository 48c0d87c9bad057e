import Promises
import Testing

/// Type inference for closures of callbacks and of tasks. The test is that this file compiles.
@Suite struct CallbackInferenceTests {
  private struct Bad: Error {}

  private func check(_ number: Int) throws -> Int { number }
  private func result(_ done: (Result<Int, Bad>) -> Void) { done(.success(3)) }
  private func value(_ done: (Int) -> Void) { done(3) }
  private func valueOrError(_ done: (Int?, (any Error)?) -> Void) { done(3, nil) }
  private func error(_ done: ((any Error)?) -> Void) { done(nil) }

  @Test func `callbacks, in several lines`() {
    let log = Log()
    let fromResult = Promise.fromResult { done in
      log.append("fromResult")
      result(done)
    }
    let fromValue = Promise.fromValue { done in
      log.append("fromValue")
      value(done)
    }
    let fromValueOrError = Promise.fromValueOrError { done in
      log.append("fromValueOrError")
      valueOrError(done)
    }
    let fromError = Promise.fromError { done in
      log.append("fromError")
      error(done)
    }
    let fromNothing = Promise.fromCompletion { done in
      log.append("fromCompletion")
      done()
    }
    #expect(
      fromResult.fulfilled == 3 && fromValue.fulfilled == 3 && fromValueOrError.fulfilled == 3)
    #expect(fromError.fulfilled != nil && fromNothing.fulfilled != nil)
    #expect(log.entries.count == 5)
  }

  @Test func `callbacks, as function references`() {
    #expect(Promise.fromResult(result).fulfilled == 3)
    #expect(Promise.fromValue(value).fulfilled == 3)
    #expect(Promise.fromValueOrError(valueOrError).fulfilled == 3)
    #expect(Promise.fromError(error).fulfilled != nil)
  }

  @Test func `tasks in the shape of Bolts, in several lines`() {
    let log = Log()
    let task = Bolts.Task {
      log.append("task")
      return try check(3)
    }
    let always = task.continueWith {
      log.append("continueWith")
      return "\($0)"
    }
    let success = task.continueOnSuccessWithTask {
      log.append("continueOnSuccessWithTask")
      return Bolts.Task($0 + 1)
    }
    let failure = success.continueOnErrorWith {
      log.append("continueOnErrorWith \($0)")
      return 0
    }
    #expect(always.result == "Task: success(3)" && failure.result == 4)
  }
}
