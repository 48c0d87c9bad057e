/// A random program that makes promises from each other, settles them and cancels them.
///
/// Each action has its own millisecond. So events happen at the same time only if timers end together.
struct Program: Sendable, CustomStringConvertible {
  let operations: [Operation]
  let actions: [Action]

  /// Makes one promise, mostly from earlier promises.
  struct Operation: Sendable {
    let kind: Kind
    /// The indices of the earlier promises.
    let inputs: [Int]
    /// Where its handler runs, or nil for the place of the chain.
    let place: Int?
    /// Whether the promise asks to be cancelled when its last handler is removed.
    let unused: Bool
    /// Decides the result of its handler and its width.
    let number: Int
  }

  enum Kind: String, Sendable, CaseIterable {
    case root, lazy, settled, never
    case map, get, validate, compactMap, unwrap, then, delay
    case recover, recoverWhere, flatMapError, mapError, `catch`
    case tap, ensure, ensureThen, observe
    case on, until, timeout, timeoutOrNil
    case all, any, race, join, outcomes, select
    case allLimited, mapLimited, filter, each, reduce, retry

    var inputCount: ClosedRange<Int> {
      switch self {
      case .root, .lazy, .settled, .never: 0...0
      case .then, .flatMapError, .ensureThen: 2...2
      case .all, .any, .race, .join, .outcomes, .select: 2...4
      case .allLimited, .mapLimited, .filter, .each, .reduce, .retry: 1...4
      default: 1...1
      }
    }
  }

  enum Action: Sendable {
    /// Makes the next promise.
    case make(Int)
    /// Settles a root. The number decides the outcome.
    case resolve(Int, Int)
    case adopt(Int, Int)
    case cancel(Int)
    /// Cancels the token that every chain with `until` has.
    case cancelToken
    /// A pause long enough for every timed operation.
    case pause
    /// Releases the resolvers.
    case drop
  }

  /// The operators that cause promises to wait for other chains.
  private static let adopting: [Kind] = [
    .then, .then, .flatMapError, .ensureThen, .until, .map, .observe, .race, .on,
  ]

  init(_ operations: [Operation], _ actions: [Action]) {
    self.operations = operations
    self.actions = actions
  }

  /// - Parameter adoptsOften: whether most actions settle promises with other promises.
  init(seed: UInt64, adoptsOften: Bool = false) {
    var generator = SeededGenerator(seed: seed)
    var operations: [Operation] = []
    var actions: [Action] = []
    let beginnings: [Kind] = [.root, .root, .root, .lazy, .settled]
    let others =
      adoptsOften ? Self.adopting : Kind.allCases.filter { $0.inputCount.upperBound > 0 }
    for index in 0..<Int.random(in: 5...14, using: &generator) {
      let isBeginning = index < 2 || Int.random(in: 0..<5, using: &generator) == 0
      let isNever = index > 2 && Int.random(in: 0..<40, using: &generator) == 0
      let kind: Kind =
        isNever
        ? .never : (isBeginning ? beginnings : others).randomElement(using: &generator) ?? .root
      let count = Int.random(in: kind.inputCount, using: &generator)
      operations.append(
        Operation(
          kind: kind,
          inputs: (0..<count).map { _ in Int.random(in: 0..<index, using: &generator) },
          place: Bool.random(using: &generator) ? Int.random(in: 0..<5, using: &generator) : nil,
          unused: Bool.random(using: &generator), number: .random(in: 1..<40, using: &generator)))
      actions.append(.make(index))
      while Int.random(in: 0..<3, using: &generator) == 0 {
        actions.append(Self.action(operations, &generator))
      }
    }
    for _ in 0..<Int.random(in: 2...8, using: &generator) {
      actions.append(Self.action(operations, &generator))
    }
    self.operations = operations
    self.actions = actions + [.drop]
  }

  private static func action(
    _ operations: [Operation], _ generator: inout SeededGenerator
  ) -> Action {
    let roots = operations.indices.filter { [.root, .lazy].contains(operations[$0].kind) }
    let root = roots.randomElement(using: &generator)
    let some = Int.random(in: 0..<operations.count, using: &generator)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<6: return root.map { .resolve($0, some + 3) } ?? .cancel(some)
    case 6..<8:
      // The root adopts only an older promise, because otherwise it might wait for itself.
      guard let root, root > 0 else { return .cancel(some) }
      return .adopt(root, Int.random(in: 0..<root, using: &generator))
    case 8: return .cancelToken
    default: return .cancel(some)
    }
  }

  var description: String {
    let lines = operations.enumerated().map { index, operation in
      "\(index): \(operation.kind.rawValue) of \(operation.inputs), at \(operation.place ?? -1), "
        + "\(operation.unused ? "cancelled unused" : "stays pending"), \(operation.number)"
    }
    let steps = actions.enumerated().map { "\($0 + 1)ms \($1)" }
    return (lines + steps).joined(separator: "\n")
  }
}

extension Program.Operation {
  /// The reply of its handler to an input.
  func reply(to input: Int) -> Ending {
    let sum = number + input
    return sum % 4 == 0 ? .fault(sum % 50) : .value(sum % 50)
  }

  /// Never a whole number of milliseconds, so that a timed operation usually ends between two actions.
  var duration: Duration { .microseconds(number % 6 * 1000 + 500) }

  /// The maximum number of promises in progress at the same time.
  var width: Int { number % 3 + 1 }
}

/// The outcome of a promise.
enum Ending: Hashable, Sendable {
  case value(Int)
  case fault(Int)
  case cancelled, dropped

  /// Its error as a number.
  var code: Int {
    switch self {
    case .value(let value): value
    case .fault(let fault): fault
    case .cancelled: 60
    case .dropped: 70
    }
  }

  var isFailure: Bool { if case .value = self { false } else { true } }

  /// Combines several values into one.
  static func sum(_ values: [Int]) -> Int { values.reduce(0) { ($0 * 3 + $1) % 97 } }
}
