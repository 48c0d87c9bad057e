internal import AsyncRuntime
internal import DequeModule

/// The queued items, and the order in which they start.
///
/// Barriers divide the line into segments. Within a segment, items of a higher priority come first.
/// Items of the same priority keep the order of their arrival. An item that ends before it starts
/// stays in its list as a husk, which avoids a search for it. From time to time all husks are
/// removed.
///
/// The lists consist of places. A place holds the item that arrived there, or the item that has
/// replaced it.
struct WaitingLine {
  fileprivate struct Segment {
    var high = ItemList()
    var normal = ItemList()
    var low = ItemList()
    /// The barrier at the end of the segment. It waits for all items of the segment.
    var barrier: QueuedItem?
  }

  private var current = Segment()
  private var later: Deque<Segment> = []
  /// The place of each item with a key.
  private var places: [String: QueuedItem] = [:]
  /// The number of queued items.
  private(set) var count = 0
  private var huskCount = 0

  /// Items that have left the lists. Releasing them may run code of the user, so release them without the lock.
  private var garbage: [QueuedItem] = []

  /// - Returns: nil if there is no garbage.
  mutating func takeGarbage() -> [QueuedItem]? {
    guard !garbage.isEmpty else { return nil }
    defer { garbage = [] }
    return garbage
  }

  /// Whether an ordinary item would be next if it arrived now. If not, it does not matter yet
  /// whether one has arrived.
  var wantsOrdinary: Bool {
    current.normal.isEmpty && current.high.isEmpty && current.barrier == nil
  }

  // MARK: Adding items

  /// Appends an item without options. The line takes over its reference.
  mutating func appendKept(_ item: Unmanaged<QueuedItem>) {
    count += 1
    withLast { $0.normal.appendKept(item) }
  }

  mutating func append(_ item: QueuedItem) {
    count += 1
    if item.traits.contains(.barrier) {
      withLast { $0.barrier = item }
      later.append(Segment())
    } else {
      let priority = item.priority
      withLast { $0[priority].append(item) }
    }
    if let key = item.extras?.key { places[key.name] = item }
  }

  /// The queued item with a key.
  func item(withKey key: String) -> QueuedItem? { places[key].map(Self.occupant) }

  /// Gives `newer` the place of the queued item with a key.
  mutating func substitute(_ newer: QueuedItem, forItemWithKey key: String) {
    guard let place = places[key] else { return }
    place.ensuredExtras.substitute = newer
    newer.traits.remove(.barrier)
    newer.traits.formUnion(place.traits.intersection(.barrier))
  }

  private mutating func withLast(_ body: (inout Segment) -> Void) {
    if later.isEmpty { body(&current) } else { body(&later[later.count - 1]) }
  }

  // MARK: Removing items

  /// Takes the next item to start.
  ///
  /// - Parameter isAlone: whether no item is running, so that a barrier may start.
  mutating func popFirst(isAlone: Bool) -> QueuedItem? {
    if isOrdinary { return popOrdinary()?.takeRetainedValue() }
    if let item = popFirst(.high) ?? popFirst(.normal) ?? popFirst(.low) { return item }
    guard isAlone, let place = current.barrier else { return nil }
    current = later.popFirst() ?? Segment()
    return leave(place)
  }

  /// Whether there is an item that may start.
  mutating func hasFirst(isAlone: Bool) -> Bool {
    if isAlone, current.barrier != nil { return true }
    if huskCount > 0 {
      discardHusks(.high)
      discardHusks(.normal)
      discardHusks(.low)
    }
    return !(current.high.isEmpty && current.normal.isEmpty && current.low.isEmpty)
  }

  /// Takes the first item. All queued items must have normal priority and no key. There must be
  /// no husk and no barrier.
  @inline(__always)
  mutating func popOrdinary() -> Unmanaged<QueuedItem>? {
    guard let item = current.normal.first else { return nil }
    current.normal.dropFirst()
    count -= 1
    return item
  }

  /// Whether a barrier is queued, which items that arrive now cannot pass.
  var hasBarrier: Bool { current.barrier != nil }

  /// Whether the conditions of `popOrdinary` hold.
  var isOrdinary: Bool {
    current.high.isEmpty && current.low.isEmpty && current.barrier == nil && huskCount == 0
      && places.isEmpty
  }

  private mutating func popFirst(_ priority: Priority.Level) -> QueuedItem? {
    while let place = current[priority].popFirst() {
      if let item = leave(place) { return item }
    }
    return nil
  }

  private mutating func discardHusks(_ priority: Priority.Level) {
    while let first = current[priority].first,
      first._withUnsafeGuaranteedRef({ Self.occupant(of: $0).phase != .waiting }),
      let husk = current[priority].popFirst()
    {
      huskCount -= 1
      garbage.append(husk)
    }
  }

  /// Returns the item of a place that has left its list; nil if the place is a husk.
  private mutating func leave(_ place: QueuedItem) -> QueuedItem? {
    // Most places need no more than this.
    guard place.extras != nil || place.phase != .waiting else {
      count -= 1
      return place
    }
    let item = Self.occupant(of: place)
    guard item.phase == .waiting else {
      huskCount -= 1
      garbage.append(place)
      return nil
    }
    if item !== place {
      garbage.append(place)
    }
    count -= 1
    forgetKey(of: item)
    return item
  }

  private mutating func forgetKey(of item: QueuedItem) {
    if let key = item.extras?.key { places[key.name] = nil }
  }

  /// Notes that a queued item has ended.
  ///
  /// - Complexity: amortised O(1), plus O(*b*) for *b* queued barriers.
  mutating func remove(_ item: QueuedItem) {
    count -= 1
    forgetKey(of: item)
    if current.barrier != nil, removeBarrier(item) { return }
    huskCount += 1
    if huskCount > count + 64 { sweep() }
  }

  /// Removes a barrier, and joins the segments on both sides of it.
  private mutating func removeBarrier(_ item: QueuedItem) -> Bool {
    let isCurrent = current.barrier.map(Self.occupant) === item
    let index = later.firstIndex { $0.barrier.map(Self.occupant) === item }
    guard isCurrent || index != nil else { return false }
    let next = later.remove(at: index.map { $0 + 1 } ?? 0)
    let place = if let index { later[index].join(next) } else { current.join(next) }
    if let place { garbage.append(place) }
    return true
  }

  private mutating func sweep() {
    for priority in Priority.Level.allCases {
      garbage += Self.sweep(&current[priority])
      for index in later.indices { garbage += Self.sweep(&later[index][priority]) }
    }
    huskCount = 0
  }

  /// - Returns: the husks.
  private static func sweep(_ list: inout ItemList) -> [QueuedItem] {
    var husks: [QueuedItem] = []
    var old = list
    list = ItemList()
    while let place = old.popFirst() {
      if occupant(of: place).phase == .waiting { list.append(place) } else { husks.append(place) }
    }
    return husks
  }

  /// Removes and returns all queued items.
  mutating func removeAll() -> [QueuedItem] {
    var items: [QueuedItem] = []
    items.reserveCapacity(count)
    while let item = popFirst(isAlone: true) { items.append(item) }
    return items
  }

  private static func occupant(of place: QueuedItem) -> QueuedItem {
    place.extras?.substitute ?? place
  }
}

extension WaitingLine.Segment {
  /// Appends the following segment, because the barrier between the two was removed.
  ///
  /// - Returns: the place of the barrier.
  fileprivate mutating func join(_ next: Self) -> QueuedItem? {
    high.append(next.high)
    normal.append(next.normal)
    low.append(next.low)
    defer { barrier = next.barrier }
    return barrier
  }

  fileprivate subscript(priority: Priority.Level) -> ItemList {
    @inline(__always) _read {
      switch priority {
      case .high: yield high
      case .normal: yield normal
      case .low: yield low
      }
    }
    @inline(__always) _modify {
      switch priority {
      case .high: yield &high
      case .normal: yield &normal
      case .low: yield &low
      }
    }
  }
}
