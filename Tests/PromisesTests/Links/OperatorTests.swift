import AsyncSimulation
import Promises
import Testing

/// The result of each operator for a value and for an error.
@Suite struct OperatorTests {
  typealias Source = Promise<Int, any Error>

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// The results for the value 3 and for the error “no”.
    let value: String
    let error: String
    let apply: @Sendable (Source, Log) -> Promise<String, any Error>

    init(
      _ name: String, value: String, error: String,
      _ apply: @escaping @Sendable (Source, Log) -> Promise<String, any Error>
    ) {
      (self.name, self.value, self.error, self.apply) = (name, value, error, apply)
    }

    var testDescription: String { name }
  }

  private struct Other: Error {}

  private static func text(_ promise: Source) -> Promise<String, any Error> {
    promise.map(on: .inline) { "\($0)" }
  }

  private static let rows: [Row] = [
    Row("map", value: "4", error: "✗no") { promise, _ in text(promise.map { $0 + 1 }) },
    Row("map that throws", value: "✗bad", error: "✗no") { promise, _ in
      text(promise.map { _ in throw StepFailure("bad") })
    },
    Row("tryMap", value: "✗bad", error: "✗no") { promise, _ in
      text(promise.tryMap { _ -> Int in throw StepFailure("bad") })
    },
    Row("then", value: "6", error: "✗no") { promise, _ in
      text(promise.then { .fulfilled($0 * 2) })
    },
    Row("then that fails", value: "✗bad", error: "✗no") { promise, _ in
      text(promise.then { _ in .rejected(StepFailure("bad")) })
    },
    Row("flatMap", value: "6", error: "✗no") { promise, _ in
      text(promise.flatMap { .fulfilled($0 * 2) })
    },
    Row("compactMap", value: "1", error: "✗no") { promise, _ in
      text(promise.compactMap { $0 == 3 ? 1 : nil })
    },
    Row("compactMap to nil", value: "✗bad", error: "✗no") { promise, _ in
      text(promise.compactMap(orError: StepFailure("bad")) { _ in nil })
    },
    Row("unwrap", value: "3", error: "✗no") { promise, _ in
      text(promise.map { Optional($0) }.unwrap())
    },
    Row("unwrap of nil", value: "✗bad", error: "✗no") { promise, _ in
      text(promise.map { _ in Int?.none }.unwrap(orError: StepFailure("bad")))
    },
    Row("unwrap with another", value: "7", error: "✗no") { promise, _ in
      text(promise.map { _ in Int?.none }.unwrap(orReplace: 7))
    },
    Row("eraseToAnyError", value: "3", error: "✗Other()") { promise, _ in
      text(promise.mapError { _ in Other() }.eraseToAnyError())
    },
    Row("setFailureType", value: "3", error: "0") { promise, _ in
      text(promise.recover { _ in 0 }.setFailureType(to: (any Error).self))
    },
    Row("get", value: "get 3, 3", error: "✗no") { promise, log in
      text(promise.get { log.append("get \($0)") })
    },
    Row("get that throws", value: "✗bad", error: "✗no") { promise, _ in
      text(promise.get { _ in throw StepFailure("bad") })
    },
    Row("tap", value: "tap, 3", error: "tap, ✗no") { promise, log in
      text(promise.tap { _ in log.append("tap") })
    },
    Row("inspect", value: "inspect, 3", error: "inspect, ✗no") { promise, log in
      text(promise.inspect { _ in log.append("inspect") })
    },
    Row("done", value: "done 3, ()", error: "✗no") { promise, log in
      promise.done { log.append("done \($0)") }.map { "\($0)" }
    },
    Row("catch", value: "3", error: "catch no, ✗no") { promise, log in
      text(promise.catch { log.append("catch \($0)") })
    },
    Row("catch by type", value: "3", error: "reason no, ✗no") { promise, log in
      text(
        promise.catch(StepFailure.self) { log.append("reason \($0.reason)") }
          .catch(Other.self) { _ in log.append("other") })
    },
    Row("catch by predicate", value: "3", error: "yes, ✗no") { promise, log in
      text(
        promise.catch(where: { "\($0)" == "no" }) { _ in log.append("yes") }
          .catch(where: { "\($0)" == "yes" }) { _ in log.append("no") })
    },
    Row("recover", value: "3", error: "0") { promise, _ in
      text(promise.recover { (_) throws -> Int in 0 })
    },
    Row("recover that throws", value: "3", error: "✗bad") { promise, _ in
      text(promise.recover { (_) throws -> Int in throw StepFailure("bad") })
    },
    Row("recover from a type", value: "3", error: "2") { promise, _ in
      text(promise.recover(from: StepFailure.self) { $0.reason.count })
    },
    Row("recover from another type", value: "3", error: "✗no") { promise, _ in
      text(promise.recover(from: Other.self) { _ in 0 })
    },
    Row("recover by predicate", value: "3", error: "0") { promise, _ in
      text(promise.recover(where: { $0 is StepFailure }) { _ in 0 })
    },
    Row("recover by another predicate", value: "3", error: "✗no") { promise, _ in
      text(promise.recover(where: { $0 is Other }) { _ in 0 })
    },
    Row("flatMapError", value: "3", error: "5") { promise, _ in
      text(promise.flatMapError { _ in .fulfilled(5) })
    },
    Row("mapError", value: "3", error: "✗not no") { promise, _ in
      text(promise.mapError { StepFailure("not \($0)") })
    },
    Row("ensure", value: "ensure, 3", error: "ensure, ✗no") { promise, log in
      text(promise.ensure { log.append("ensure") })
    },
    Row("finally", value: "finally, 3", error: "finally, ✗no") { promise, log in
      text(promise.finally { log.append("finally") })
    },
    Row("ensureThen", value: "cleaned, 3", error: "cleaned, ✗no") { promise, log in
      text(
        promise.ensureThen {
          Source { resolver in
            LaneContext.current.perform {
              log.append("cleaned")
              resolver.fulfill(0)
            }
          }
        })
    },
    Row("ensureThen that fails", value: "✗bad", error: "✗no") { promise, _ in
      text(promise.ensureThen { Source.rejected(StepFailure("bad")) })
    },
    Row("validate", value: "3", error: "✗no") { promise, _ in
      text(promise.validate { $0 == 3 })
    },
    Row("validate that fails", value: "✗bad", error: "✗no") { promise, _ in
      text(promise.validate(orError: StepFailure("bad")) { $0 == 4 })
    },
    Row("on", value: "3", error: "✗no") { promise, _ in text(promise.on(.inline)) },
  ]

  /// Whether the promise is settled before or after the operator is applied.
  enum Timing: CaseIterable { case before, after }

  @Test(arguments: rows.indices, Timing.allCases)
  func `each operator maps a value and an error as the table says`(
    _ index: Int, _ timing: Timing
  ) {
    let row = Self.rows[index]
    let results: [(Result<Int, any Error>, String)] = [
      (.success(3), row.value), (.failure(StepFailure("no")), row.error),
    ]
    for placement in [Placement.inline, .main] {
      for (result, expected) in results {
        let runtime = SimulatedRuntime()
        let log = Log()
        let (promise, resolver) = Source.withResolvers(on: placement, runtime: runtime)
        if timing == .before { resolver.resolve(result) }
        row.apply(promise, log).whenComplete { result in
          switch result {
          case .success(let value): log.append(value)
          case .failure(let error): log.append("✗\(error)")
          }
        }
        if timing == .after { resolver.resolve(result) }
        runtime.runUntilIdle()
        #expect(log.entries.joined(separator: ", ") == expected, "\(row.name), \(placement)")
      }
    }
  }

  @Test func `an unmet requirement reports its place`() {
    let line = UInt(#line) + 1
    let promise = Source.fulfilled(3, on: .inline).validate { $0 == 4 }
    guard case .failure(let error as RequirementFailed)? = promise.current else {
      Issue.record("it did not fail")
      return
    }
    #expect(error.site.hasSuffix("OperatorTests.swift:\(line)"))
  }

  /// The test is that this compiles: closures of one line and of several are inferred alike.
  @Test func `closures are inferred`() {
    let promise = Promise<Int, any Error>.fulfilled(3, on: .inline)
    let oneLine = promise.map { $0 + 1 }.then { .fulfilled("\($0)") }.done { _ in }
    let several = promise.map { value in
      let next = value + 1
      return next
    }.then { value in
      let text = "\(value)"
      return Promise<String, any Error>.fulfilled(text)
    }.get { text in
      let count = text.count
      _ = count
    }.recover { error in
      let text = "\(error)"
      return text
    }.done { text in
      let count = text.count
      _ = count
    }
    let typed = Promise<Int, StepFailure>.fulfilled(3, on: .inline)
      .map { $0 + 1 }
      .compactMap(orError: StepFailure("none")) { $0 > 0 ? $0 : nil }
      .map { value throws(StepFailure) in
        if value < 0 { throw StepFailure("negative") }
        return value
      }
      .recover { _ in 0 }
    let made = Promise<Int, any Error> { resolver in
      let value = 3
      resolver.fulfill(value)
    }
    let tried = Promise<Int, any Error>.try {
      let value = Int("3") ?? 0
      if value < 0 { throw StepFailure("negative") }
      return value
    }
    let safe: Promise<Int, Never> = typed
    #expect(oneLine.current != nil)
    #expect(several.current != nil)
    #expect(safe.current == .success(4))
    #expect(try! made.current?.get() == 3)
    #expect(try! tried.current?.get() == 3)
  }
}
