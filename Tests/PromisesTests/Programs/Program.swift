/// Promises that are made of each other, settled and cancelled at chance.
///
/// Nothing happens at the same time as something else unless timers end together: each action has a
/// millisecond of its own.
struct Program: Sendable, CustomStringConvertible {
  let operations: [Operation]
  let actions: [Action]

  /// One promise that is made, mostly of others before it.
  struct Operation: Sendable {
    let kind: Kind
    /// Which others.
    let inputs: [Int]
    /// Where its handler runs: nil for where the chain's do.
    let place: Int?
    /// Whether it asks to be cancelled when its last listener is.
    let unused: Bool
    /// Decides what its handler makes of what it gets, and which limit it has.
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
    /// Settles a root: what with, the number decides.
    case resolve(Int, Int)
    case adopt(Int, Int)
    case cancel(Int)
    /// Cancels what every chain with `until` has.
    case cancelToken
    /// Long enough for everything that takes time.
    case pause
    /// Lets go of the resolvers.
    case drop
  }

  /// Those by which promises come to wait for other chains.
  private static let adopting: [Kind] = [
    .then, .then, .flatMapError, .ensureThen, .until, .map, .observe, .race, .on,
  ]

  /// - Parameter adoptsOften: whether it is mostly about promises that are settled as others will be.
  init(_ operations: [Operation], _ actions: [Action]) {
    self.operations = operations
    self.actions = actions
  }

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
      // Only what is older, or it might wait for itself.
      guard let root, root > 0 else { return .cancel(some) }
      return .adopt(root, Int.random(in: 0..<root, using: &generator))
    case 8: return .cancelToken
    default: return .cancel(some)
    }
  }

  var description: String {
    let lines = operations.enumerated().map { index, operation in
      "\(index): \(operation.kind.rawValue) of \(operation.inputs), at \(operation.place ?? -1), "
        + "\(operation.unused ? "cancelled unused" : "goes on"), \(operation.number)"
    }
    let told = actions.enumerated().map { "\($0 + 1)ms \($1)" }
    return (lines + told).joined(separator: "\n")
  }
}

extension Program.Operation {
  /// What its handler makes of what it gets.
  func reply(to input: Int) -> Ending {
    let sum = number + input
    return sum % 4 == 0 ? .fault(sum % 50) : .value(sum % 50)
  }

  /// Never a whole number of milliseconds, so that it mostly ends between two actions.
  var duration: Duration { .microseconds(number % 6 * 1000 + 500) }

  /// How many at once.
  var limit: Int { number % 3 + 1 }
}

/// What becomes of a promise.
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

  /// What is made of several.
  static func sum(_ values: [Int]) -> Int { values.reduce(0) { ($0 * 3 + $1) % 97 } }
}
