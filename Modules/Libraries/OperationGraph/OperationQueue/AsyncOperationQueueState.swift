internal import AsyncRuntime

/// What a queue of operations knows: which are in it, which of them are ready, and which have a place.
///
/// It decides and does nothing else: what is to be done, the caller does once it has let go of the lock.
struct AsyncOperationQueueState {
  private struct Entry {
    let operation: AsyncOperation
    let arrival: UInt64
    /// Where it waits for a place.
    var place: PriorityLine<AsyncOperation>.Place?
    var hasPlace = false
    let isBarrier: Bool
    /// What was put before it when it came.
    var before: [AsyncOperation]
  }

  var width: Int
  var isSuspended = false
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var ready = PriorityLine<AsyncOperation>()
  private var placesTaken = 0
  private var arrivals: UInt64 = 0
  /// What all that comes now comes after: the last one. Those before it have not ended either.
  private var barriers: [AsyncOperation] = []
  private(set) var waiters = ParkedLine()

  init(width: Int) { self.width = width }

  var count: Int { entries.count }

  /// In the order in which they came.
  var operations: [AsyncOperation] {
    entries.values.sorted { $0.arrival < $1.arrival }.map(\.operation)
  }

  /// Those that have a place, if there is none left for another one.
  var holdersOfAllPlaces: [AsyncOperation]? {
    guard !isSuspended, placesTaken >= width else { return nil }
    return entries.values.compactMap { $0.hasPlace ? $0.operation : nil }
  }

  /// - Returns: what it is to come after.
  mutating func add(_ operation: AsyncOperation, isBarrier: Bool) -> [AsyncOperation] {
    let before = isBarrier ? operations : Array(barriers.suffix(1))
    arrivals += 1
    entries[ObjectIdentifier(operation)] = Entry(
      operation: operation, arrival: arrivals, isBarrier: isBarrier, before: before)
    if isBarrier { barriers.append(operation) }
    return before
  }

  /// All of those that came together are in it, and stay.
  mutating func settle(_ operation: AsyncOperation) {
    entries[ObjectIdentifier(operation)]?.before = []
  }

  /// - Returns: what was put before it, and those who have waited for the queue to be empty, if it is.
  mutating func takeBack(
    _ operation: AsyncOperation
  ) -> (before: [AsyncOperation], waiters: [ParkedLine.Waiter]) {
    let before = entries[ObjectIdentifier(operation)]?.before ?? []
    return (before, remove(operation))
  }

  mutating func becameReady(_ operation: AsyncOperation) {
    let id = ObjectIdentifier(operation)
    guard entries[id] != nil, entries[id]?.place == nil else { return }
    entries[id]?.place = ready.append(operation, priority: operation.priority.rawValue)
  }

  /// Whose turn it is, if there is a place.
  mutating func next() -> AsyncOperation? {
    guard !isSuspended, placesTaken < width, let first = ready.first,
      let operation = ready.remove(first)
    else { return nil }
    placesTaken += 1
    entries[ObjectIdentifier(operation)]?.place = nil
    entries[ObjectIdentifier(operation)]?.hasPlace = true
    return operation
  }

  /// One whose turn it was has not begun.
  mutating func didNotBegin(_ operation: AsyncOperation) {
    guard entries[ObjectIdentifier(operation)]?.hasPlace == true else { return }
    entries[ObjectIdentifier(operation)]?.hasPlace = false
    placesTaken -= 1
  }

  /// - Returns: those who have waited for the queue to be empty, if it is.
  mutating func remove(_ operation: AsyncOperation) -> [ParkedLine.Waiter] {
    guard let entry = entries.removeValue(forKey: ObjectIdentifier(operation)) else { return [] }
    if let place = entry.place { _ = ready.remove(place) }
    if entry.hasPlace { placesTaken -= 1 }
    if entry.isBarrier { barriers.removeAll { $0 === operation } }
    return entries.isEmpty ? waiters.letAllGo() : []
  }

  // MARK: Waiting

  mutating func wait(for span: Span) -> ParkedLine.Place? {
    entries.isEmpty ? nil : waiters.enter(for: span)
  }

  mutating func park(
    at place: ParkedLine.Place, _ resume: @escaping ParkedLine.Resume
  ) -> ParkedLine.Verdict? {
    waiters.park(at: place, resume)
  }

  mutating func giveUp(_ place: ParkedLine.Place) -> ParkedLine.Resume? { waiters.giveUp(place) }
}
