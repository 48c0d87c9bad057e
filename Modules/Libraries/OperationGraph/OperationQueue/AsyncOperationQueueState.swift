internal import HeapModule

/// The state of a queue of operations: which operations are in it, which are ready, and which have a place.
///
/// It only makes decisions. The caller carries them out after releasing the lock.
struct AsyncOperationQueueState {
  /// An operation that waits for a place.
  private struct Entry: Comparable {
    let operation: AsyncOperation
    let rank: Rank

    static func < (one: Entry, other: Entry) -> Bool { one.rank < other.rank }
  }

  var width: Int
  var isSuspended = false
  /// The operations that have not ended, with their numbers in the order of arrival.
  private var members: [AsyncOperation: UInt64] = [:]
  private var ready: Heap<Entry> = []
  private var placeHolders: Set<AsyncOperation> = []
  /// The barriers that have not ended. Operations added now come after the last one.
  private var barriers: [AsyncOperation] = []
  private let arrivals = Arrivals()

  init(width: Int) { self.width = width }

  var count: Int { members.count }

  /// The operations, in the order in which they were added.
  var operations: [AsyncOperation] {
    members.sorted { $0.value < $1.value }.map(\.key)
  }

  /// The operations that have a place; nil if a place is free, or if the queue is suspended.
  var holdersOfAllPlaces: [AsyncOperation]? {
    isSuspended || placeHolders.count < width ? nil : Array(placeHolders)
  }

  /// - Returns: the operations that each of the added ones must come after.
  mutating func add(_ added: [AsyncOperation], isBarrier: Bool) -> [AsyncOperation] {
    let before = isBarrier ? operations : Array(barriers.suffix(1))
    for operation in added { members[operation] = arrivals.next() }
    if isBarrier { barriers += added }
    return before
  }

  /// - Returns: whether the operation was in the queue.
  mutating func remove(_ operation: AsyncOperation) -> Bool {
    guard members.removeValue(forKey: operation) != nil else { return false }
    placeHolders.remove(operation)
    barriers.removeAll { $0 == operation }
    if members.isEmpty { ready = [] }
    return true
  }

  /// Lets no more operations come after barriers that were refused.
  mutating func forgetBarriers(_ operations: [AsyncOperation]) {
    barriers.removeAll { operations.contains($0) }
  }

  mutating func becameReady(_ operation: AsyncOperation) {
    let rank = Rank(priority: operation.priority.rawValue, arrival: arrivals.next())
    ready.insert(Entry(operation: operation, rank: rank))
  }

  /// The next operation to start, if a place is free. It now has the place.
  mutating func next() -> AsyncOperation? {
    while !isSuspended, placeHolders.count < width, let operation = ready.popMin()?.operation {
      // It may have been cancelled meanwhile, and so have ended.
      guard members[operation] != nil else { continue }
      placeHolders.insert(operation)
      return operation
    }
    return nil
  }

  /// Frees the place of an operation that did not start.
  mutating func freePlace(of operation: AsyncOperation) { placeHolders.remove(operation) }
}
