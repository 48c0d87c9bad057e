/// The state of a queue of operations: which operations are in it, which are ready, and which have a place.
///
/// It only makes decisions. The caller carries them out after releasing the lock.
struct AsyncOperationQueueState: HasEmptyWaiters {
  private struct Entry {
    let operation: AsyncOperation
    let arrival: UInt64
    /// The operation's position among the ready operations that wait for a place.
    var place: PriorityLine<AsyncOperation>.Place?
    var hasPlace = false
    let isBarrier: Bool
    /// The dependencies that the queue added to the operation when it arrived.
    var before: [AsyncOperation]
  }

  var width: Int
  var isSuspended = false
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var ready = PriorityLine<AsyncOperation>()
  private var placesTaken = 0
  private var arrivals: UInt64 = 0
  /// The barriers that have not ended. Operations added now come after the last one.
  private var barriers: [AsyncOperation] = []
  var waiters = WaiterLine()

  init(width: Int) { self.width = width }

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// The operations, in the order in which they were added.
  var operations: [AsyncOperation] {
    entries.values.sorted { $0.arrival < $1.arrival }.map(\.operation)
  }

  /// The operations that have a place; nil if a place is free, or if the queue is suspended.
  var holdersOfAllPlaces: [AsyncOperation]? {
    guard !isSuspended, placesTaken >= width else { return nil }
    return entries.values.compactMap { $0.hasPlace ? $0.operation : nil }
  }

  /// - Returns: the operations that it must come after.
  mutating func add(_ operation: AsyncOperation, isBarrier: Bool) -> [AsyncOperation] {
    let before = isBarrier ? operations : Array(barriers.suffix(1))
    arrivals += 1
    entries[ObjectIdentifier(operation)] = Entry(
      operation: operation, arrival: arrivals, isBarrier: isBarrier, before: before)
    if isBarrier { barriers.append(operation) }
    return before
  }

  /// Confirms an operation, which can no longer be taken back: all operations added by the same call are in the queue.
  mutating func settle(_ operation: AsyncOperation) {
    entries[ObjectIdentifier(operation)]?.before = []
  }

  /// - Returns: the dependencies that the queue added to it, and the waiters for an empty queue, if it is empty.
  mutating func takeBack(
    _ operation: AsyncOperation
  ) -> (before: [AsyncOperation], waiters: [WaiterLine.Waiter]) {
    let before = entries[ObjectIdentifier(operation)]?.before ?? []
    return (before, remove(operation))
  }

  mutating func becameReady(_ operation: AsyncOperation) {
    let id = ObjectIdentifier(operation)
    guard entries[id] != nil, entries[id]?.place == nil else { return }
    entries[id]?.place = ready.append(operation, priority: operation.priority.rawValue)
  }

  /// The next operation to start, if a place is free.
  mutating func next() -> AsyncOperation? {
    guard !isSuspended, placesTaken < width, let first = ready.first,
      let operation = ready.remove(first)
    else { return nil }
    placesTaken += 1
    entries[ObjectIdentifier(operation)]?.place = nil
    entries[ObjectIdentifier(operation)]?.hasPlace = true
    return operation
  }

  /// Frees the place of an operation that `next` returned but that did not start.
  mutating func didNotBegin(_ operation: AsyncOperation) {
    guard entries[ObjectIdentifier(operation)]?.hasPlace == true else { return }
    entries[ObjectIdentifier(operation)]?.hasPlace = false
    placesTaken -= 1
  }

  /// - Returns: the waiters for an empty queue, if it is empty.
  mutating func remove(_ operation: AsyncOperation) -> [WaiterLine.Waiter] {
    guard let entry = entries.removeValue(forKey: ObjectIdentifier(operation)) else { return [] }
    if let place = entry.place { _ = ready.remove(place) }
    if entry.hasPlace { placesTaken -= 1 }
    if entry.isBarrier { barriers.removeAll { $0 === operation } }
    return entries.isEmpty ? waiters.resumeAll() : []
  }
}
