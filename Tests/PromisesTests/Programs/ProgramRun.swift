import AsyncSimulation
import Foundation
import Promises

struct Fault: Error, Hashable { let number: Int }

/// Runs a program with real promises whose errors have one type.
final class ProgramRun<Failure: Error>: Sendable {
  typealias Number = Promise<Int, Failure>

  let program: Program
  let runtime: any Runtime
  let wrap: @Sendable (Fault) -> Failure
  let token = Cancellation()
  private let places: [Placement]
  private let state: Locked<State>
  /// Signalled when handlers hold no object.
  let isReleased = DispatchSemaphore(value: 0)

  private struct State: Sendable {
    var promises: [Number] = []
    var resolvers: [Int: Number.Resolver] = [:]
    /// Whether all resolvers have been released.
    var isDropped = false
    var runs: [Int]
    var cancellations: [Int]
    /// The number of living objects that handlers hold.
    var held = 0
  }

  /// An object that a handler holds.
  final class Held: Sendable {
    private let owner: ProgramRun

    init(_ owner: ProgramRun) {
      self.owner = owner
      owner.state.withLock { $0.held += 1 }
    }

    deinit {
      let left = owner.state.withLock { state in
        state.held -= 1
        return state.held
      }
      if left == 0 { owner.isReleased.signal() }
    }
  }

  init(
    _ program: Program, _ runtime: any Runtime, at places: [Placement],
    wrap: @escaping @Sendable (Fault) -> Failure
  ) {
    self.program = program
    self.runtime = runtime
    self.wrap = wrap
    let none = program.operations.map { _ in 0 }
    state = Locked(State(runs: none, cancellations: none))
    self.places = places
  }

  func perform(_ action: Program.Action) {
    switch action {
    case .make(let index):
      let promise = make(program.operations[index], index)
      state.withLock { $0.promises.append(promise) }
    case .resolve(let index, let number):
      let reply = program.operations[index].reply(to: number)
      resolver(index)?.tryResolve(result(reply))
    case .adopt(let index, let other): resolver(index)?.tryResolve(with: promise(other))
    case .cancel(let index): promise(index).cancel()
    case .cancelToken: token.cancel()
    case .pause: break
    case .drop:
      let resolvers = state.withLock { state in
        state.isDropped = true
        defer { state.resolvers = [:] }
        return state.resolvers
      }
      withExtendedLifetime(resolvers) {}
    }
  }

  /// Ends the run. Call it when no work is left.
  func finish() -> ModelRun.Result {
    let promises = state.withLock { state in
      defer { state.promises = [] }
      return state.promises
    }
    var result = ModelRun.Result(outcomes: [], runs: [], cancellations: [])
    result.outcomes = promises.map { $0.current.map(Self.outcome) }
    (result.runs, result.cancellations) = state.withLock { ($0.runs, $0.cancellations) }
    return result
  }

  /// The number of objects that handlers hold.
  var held: Int { state.withLock { $0.held } }

  // MARK: Translating

  static func outcome(_ result: Result<Int, Failure>) -> Ending {
    switch result {
    case .success(let value): .value(value)
    case .failure(let error): outcome(of: error)
    }
  }

  static func outcome(of error: Failure) -> Ending {
    switch error as any Error {
    case let fault as Fault: .fault(fault.number)
    case is CancellationError: .cancelled
    default: .dropped
    }
  }

  func result(_ outcome: Ending) -> Result<Int, Failure> {
    switch outcome {
    case .value(let value): .success(value)
    default: .failure(wrap(Fault(number: outcome.code)))
    }
  }

  // MARK: Parts

  func promise(_ index: Int) -> Number { state.withLock { $0.promises[index] } }

  private func resolver(_ index: Int) -> Number.Resolver? { state.withLock { $0.resolvers[index] } }

  func keep(_ resolver: Number.Resolver, _ index: Int) {
    state.withLock { if !$0.isDropped { $0.resolvers[index] = resolver } }
    let held = Held(self)
    resolver.onCancel {
      withExtendedLifetime(held) { self.state.withLock { $0.cancellations[index] += 1 } }
    }
  }

  func place(_ operation: Program.Operation) -> Placement? { operation.place.map { places[$0] } }

  /// Where the handlers of a new chain run.
  func beginning(_ operation: Program.Operation) -> Placement { places[operation.place ?? 0] }

  /// Counts the runs of the handler of a promise.
  func counting(_ index: Int) -> @Sendable () -> Void {
    let held = Held(self)
    return { withExtendedLifetime(held) { self.state.withLock { $0.runs[index] += 1 } } }
  }

  /// The handler of a promise, which replies to a number.
  func replying(
    _ operation: Program.Operation, _ index: Int
  ) -> @Sendable (Int) -> Result<Int, Failure> {
    let count = counting(index)
    return { number in
      count()
      return self.result(operation.reply(to: number))
    }
  }
}
