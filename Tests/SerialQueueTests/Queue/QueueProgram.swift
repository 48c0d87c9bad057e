import AsyncSimulation
import SerialQueue

/// A random program: the settings of a queue, and what happens to the queue, one action in each unit of time.
struct QueueProgram: Sendable {
  enum Kind: CaseIterable, Sendable {
    case function, callback, task
  }

  struct Item: Sendable {
    let kind: Kind
    /// How long the work takes; zero if it ends as it starts, as a function does.
    let duration: Duration
    let fails: Bool
    /// Whether it ends as soon as it is cancelled, with a `CancellationError`.
    let endsWhenCancelled: Bool
    let priority: Priority
    let isBarrier: Bool
    let timeout: Duration?
    let key: String?
    let rule: SerialQueue.Coalescing
  }

  enum Action: Sendable {
    /// Enqueues the item with this number.
    case enqueue(Int)
    case cancel(Int)
    case cancelPending, cancelAll, suspend, resume
  }

  private static let mostItems = 20

  let width: Int
  let bound: Int?
  let timeout: Duration?
  let onFailure: SerialQueue.FailurePolicy
  let placement: Placement
  private(set) var items: [Item] = []
  private(set) var actions: [Action] = []

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    width = [1, 1, 2, 3].randomElement(using: &random) ?? 1
    bound = random.chance(3) ? Int.random(in: 2...5, using: &random) : nil
    // With a larger width, two items could time out at the same time.
    timeout = width == 1 && random.chance(4) ? Self.time(4, fraction: Self.mostItems) : nil
    onFailure =
      [SerialQueue.FailurePolicy.continue, .stop, .suspend].randomElement(using: &random)
      ?? .continue
    placement = [Placement.pool, .main, .inline].randomElement(using: &random) ?? .pool
    for _ in 0..<30 { appendAction(&random) }
  }

  private mutating func appendAction(_ random: inout SeededGenerator) {
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<13 where items.count < Self.mostItems:
      actions.append(.enqueue(items.count))
      items.append(item(&random))
    case 13..<17 where !items.isEmpty:
      actions.append(.cancel(Int.random(in: items.indices, using: &random)))
    case 17: actions.append(random.chance(2) ? .cancelPending : .cancelAll)
    case 18..<20: actions.append(.suspend)
    default: actions.append(.resume)
    }
  }

  private func item(_ random: inout SeededGenerator) -> Item {
    let kind = Kind.allCases.randomElement(using: &random) ?? .function
    // If several items start at the same time, the failure of one must not decide whether the others start.
    let isImmediate = kind == .function || kind == .callback && width == 1 && random.chance(4)
    // A duration is odd and a timeout is even, so the two are never equal.
    let (length, limit) = (
      Int.random(in: 0...4, using: &random), Int.random(in: 1...4, using: &random)
    )
    let duration = Self.time(2 * length + 1, fraction: items.count)
    let timeout = Self.time(2 * limit, fraction: items.count)
    let priority = [Priority.low, .normal, .high].randomElement(using: &random) ?? .normal
    let key = ["a", "b"].randomElement(using: &random)
    return Item(
      kind: kind, duration: isImmediate ? .zero : duration,
      fails: kind != .function && random.chance(4),
      endsWhenCancelled: kind == .task || random.chance(2),
      priority: random.chance(2) ? .normal : priority, isBarrier: random.chance(8),
      timeout: random.chance(4) ? timeout : nil, key: random.chance(3) ? key : nil,
      rule: random.chance(2) ? .latestWins : .firstWins)
  }

  /// A number of units of time.
  ///
  /// - Parameter fraction: the number of an item. A power of two that no other item has is added to its times. So no
  ///   sums of times of different items are equal. An item never ends at the time of an action, or when another item
  ///   ends.
  static func time(_ units: Int, fraction: Int? = nil) -> Duration {
    let own = fraction.map { Int(1) << $0 } ?? 0
    return .nanoseconds((units << 30) + own)
  }
}

/// What happened to the items of a program.
struct QueueHistory: Sendable {
  struct Start: Equatable, Sendable {
    let item: Int
    let time: Duration
  }

  private(set) var starts: [Start] = []
  /// How each item ended. The list is empty for an item that was not enqueued or has not ended.
  private(set) var outcomes: [[String]]

  init(_ program: QueueProgram) { outcomes = program.items.map { _ in [] } }

  mutating func start(_ item: Int, at time: Duration) {
    starts.append(Start(item: item, time: time))
  }

  mutating func end(_ item: Int, _ outcome: String) { outcomes[item].append(outcome) }
}

extension SeededGenerator {
  /// True once in this number of calls on average.
  fileprivate mutating func chance(_ number: Int) -> Bool {
    Int.random(in: 0..<number, using: &self) == 0
  }
}
