import AsyncSimulation
import Promises

/// The object that cases use as a value and as an error. Identity distinguishes one object from another.
final class Object: Error, Sendable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static let dummy = Object("dummy")
  static let other = Object("other")
  static let sentinel = Object("sentinel")
}

/// Runs a case on the main scheduler with a virtual clock, as JavaScript runs a script on its event loop.
final class Trial: Sendable {
  typealias Pending<Success: Sendable> = (
    promise: Promise<Success, any Error>, resolver: Promise<Success, any Error>.Resolver
  )

  let runtime: SimulatedRuntime
  private let placement: Placement
  private let state = Locked(State())

  private struct State: Sendable {
    var failures: [String] = []
    var endCount = 0
    /// Keeps resolvers alive. A released resolver rejects its promise, and no case tests that.
    var held: [any Sendable] = []
  }

  /// - Parameter placement: where handlers run.
  init(on placement: Placement = .main, _ runtime: SimulatedRuntime = SimulatedRuntime()) {
    self.runtime = runtime
    self.placement = placement
  }

  /// - Returns: the failures.
  static func run(
    on placement: Placement = .main, _ body: @escaping @Sendable (Trial) -> Void
  ) -> [String] {
    let trial = Trial(on: placement)
    trial.start(body)
    trial.runtime.runUntilIdle()
    return trial.finish()
  }

  func start(_ body: @escaping @Sendable (Trial) -> Void) {
    runtime.main.schedule { body(self) }
  }

  /// Ends the trial when no work is left.
  ///
  /// - Returns: the failures.
  func finish() -> [String] {
    var (failures, endCount) = state.withLock { ($0.failures, $0.endCount) }
    if endCount != 1 { failures.append("it should have ended once, and ended \(endCount) times") }
    state.withLock { $0 = State() }
    return failures
  }

  // MARK: The adapter functions of the original suite

  func resolved<Success: Sendable>(_ value: Success) -> Promise<Success, any Error> {
    .fulfilled(value, on: placement, runtime: runtime)
  }

  func rejected<Success: Sendable>(
    _ reason: any Error, _: Success.Type = Object.self
  ) -> Promise<Success, any Error> {
    .rejected(reason, on: placement, runtime: runtime)
  }

  func deferred<Success: Sendable>(_: Success.Type = Object.self) -> Pending<Success> {
    let pending = Promise<Success, any Error>.withResolvers(
      on: placement, runtime: runtime)
    hold(pending.resolver)
    return pending
  }

  // MARK: Running

  func hold(_ something: some Sendable) { state.withLock { $0.held.append(something) } }

  func after(_ milliseconds: Int, _ job: @escaping @Sendable () -> Void) {
    runtime.main.schedule(after: .milliseconds(milliseconds), job)
  }

  /// Ends the case. Most cases pass if they reach this call.
  func end() { state.withLock { $0.endCount += 1 } }

  func expect(_ isTrue: Bool, _ what: String) {
    if !isTrue { state.withLock { $0.failures.append(what) } }
  }

  func expectSame(_ found: Object, _ expected: Object) {
    expect(found === expected, "expected \(expected), found \(found)")
  }

  func expectSame(_ found: any Error, _ expected: Object) {
    expect(found as? Object === expected, "expected \(expected), found \(found)")
  }
}

/// A counter or a flag that handlers can change.
final class Counter: Sendable {
  private let storage = Locked(0)

  var value: Int { storage.withLock { $0 } }
  func add() { storage.withLock { $0 += 1 } }
}

extension Promise where Success == Object, Failure == any Error {
  /// Adds a handler for the value and ignores the resulting promise.
  func onFulfilled(_ handler: @escaping @Sendable (Object) -> Void) {
    _ = then { value in
      handler(value)
      return Self.fulfilled(.other)
    }
  }

  /// Adds a handler for the error and ignores the resulting promise.
  func onRejected(_ handler: @escaping @Sendable (any Error) -> Void) {
    _ = flatMapError { reason -> Promise<Object, any Error> in
      handler(reason)
      return .fulfilled(.other)
    }
  }
}
