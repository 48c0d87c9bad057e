import AsyncSimulation
import Promises

/// What cases are about, told apart by identity: a value as well as an error.
final class Object: Error, Sendable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static let dummy = Object("dummy")
  static let other = Object("other")
  static let sentinel = Object("sentinel")
}

/// A case as it runs: on the main scheduler of a virtual clock, as a script does on its loop.
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
    /// A resolver that is let go of rejects its promise, which no case is about.
    var held: [any Sendable] = []
  }

  /// - Parameter placement: where handlers run.
  init(on placement: Placement = .main, _ runtime: SimulatedRuntime = SimulatedRuntime()) {
    self.runtime = runtime
    self.placement = placement
  }

  /// - Returns: what went wrong.
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

  /// Nothing is left to do.
  ///
  /// - Returns: what went wrong.
  func finish() -> [String] {
    var (failures, endCount) = state.withLock { ($0.failures, $0.endCount) }
    if endCount != 1 { failures.append("it should have ended once, and ended \(endCount) times") }
    state.withLock { $0 = State() }
    return failures
  }

  // MARK: What the original calls its adapter

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

  /// Ends the case. That it has run to here is what most of them expect.
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

/// A count or a sign that handlers may touch.
final class Counter: Sendable {
  private let storage = Locked(0)

  var value: Int { storage.withLock { $0 } }
  func add() { storage.withLock { $0 += 1 } }
}

extension Promise where Success == Object, Failure == any Error {
  /// Adds a handler for a value, which ends there.
  func onFulfilled(_ handler: @escaping @Sendable (Object) -> Void) {
    _ = then { value in
      handler(value)
      return Self.fulfilled(.other)
    }
  }

  /// Adds a handler for an error, which ends there.
  func onRejected(_ handler: @escaping @Sendable (any Error) -> Void) {
    _ = flatMapError { reason -> Promise<Object, any Error> in
      handler(reason)
      return .fulfilled(.other)
    }
  }
}
