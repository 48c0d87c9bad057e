internal import DequeModule

/// The items that wait for their turn, and in which order it comes.
///
/// Barriers cut the line into segments. Within one, higher priorities come first, and of one priority
/// whoever came first. An item that ends before its turn stays in its list as a husk: nobody has to look
/// for it, and now and then all husks are swept out.
///
/// The lists are made of places. A place holds the item that came to it, or the one that was
/// substituted for that one.
struct WaitingLine {
  fileprivate struct Segment {
    var high = ItemList()
    var normal = ItemList()
    var low = ItemList()
    /// Waits for all in the segment, and ends it.
    var barrier: QueuedItem?
  }

  private var current = Segment()
  private var later: Deque<Segment> = []
  /// The place of each item with a key.
  private var places: [String: QueuedItem] = [:]
  /// How many items wait.
  private(set) var count = 0
  private var huskCount = 0

  /// Items that have left the lists. Releasing them may run code of the user: do it without a lock.
  private var garbage: [QueuedItem] = []

  /// - Returns: nil if there is none.
  mutating func takeGarbage() -> [QueuedItem]? {
    guard !garbage.isEmpty else { return nil }
    defer { garbage = [] }
    return garbage
  }

  /// Whether an ordinary item that came now would be the next: then it matters whether one has come.
  var wantsOrdinary: Bool {
    current.normal.isEmpty && current.high.isEmpty && current.barrier == nil
  }

  // MARK: Coming

  /// Appends an item without options, which is kept already.
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

  /// The item that waits under a key.
  func item(withKey key: String) -> QueuedItem? { places[key].map(Self.occupant) }

  /// `newer` takes the place of the item that waits under a key.
  mutating func substitute(_ newer: QueuedItem, forItemWithKey key: String) {
    places[key]?.ensuredExtras.substitute = newer
  }

  private mutating func withLast(_ body: (inout Segment) -> Void) {
    if later.isEmpty { body(&current) } else { body(&later[later.count - 1]) }
  }

  // MARK: Going

  /// Takes the item whose turn it is.
  ///
  /// - Parameter isAlone: whether nothing runs, so that a barrier may start.
  mutating func popFirst(isAlone: Bool) -> QueuedItem? {
    if let item = popFirst(.high) ?? popFirst(.normal) ?? popFirst(.low) { return item }
    guard isAlone, let place = current.barrier else { return nil }
    current = later.popFirst() ?? Segment()
    return leave(place)
  }

  /// Whether somebody's turn may come.
  mutating func hasFirst(isAlone: Bool) -> Bool {
    if count == 0 { return false }
    if isAlone, current.barrier != nil { return true }
    discardHusks(.high)
    discardHusks(.normal)
    discardHusks(.low)
    return !(current.high.isEmpty && current.normal.isEmpty && current.low.isEmpty)
  }

  /// Takes the first, if all that wait are of one priority and without a key, and there is no husk among
  /// them and no barrier.
  @inline(__always)
  mutating func popOrdinary() -> Unmanaged<QueuedItem>? {
    guard let item = current.normal.first else { return nil }
    current.normal.dropFirst()
    count -= 1
    return item
  }

  /// Whether `popOrdinary` may be used.
  var isOrdinary: Bool {
    current.high.isEmpty && current.low.isEmpty && current.barrier == nil && huskCount == 0
      && places.isEmpty
  }

  private mutating func popFirst(_ priority: SerialQueue.Priority) -> QueuedItem? {
    while let place = current[priority].popFirst() {
      if let item = leave(place) { return item }
    }
    return nil
  }

  private mutating func discardHusks(_ priority: SerialQueue.Priority) {
    while let first = current[priority].first,
      first._withUnsafeGuaranteedRef({ Self.occupant(of: $0).phase != .waiting }),
      let husk = current[priority].popFirst()
    {
      huskCount -= 1
      garbage.append(husk)
    }
  }

  /// Who stands in a place that has come out of its list.
  private mutating func leave(_ place: QueuedItem) -> QueuedItem? {
    // Most have no more to them than this.
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
      item.traits.remove(.barrier)
      item.traits.formUnion(place.traits.intersection(.barrier))
      garbage.append(place)
    }
    count -= 1
    forgetKey(of: item)
    return item
  }

  private mutating func forgetKey(of item: QueuedItem) {
    if let key = item.extras?.key { places[key.name] = nil }
  }

  /// An item that waited has ended.
  ///
  /// - Complexity: amortised O(1), plus O(*b*) for *b* barriers that wait.
  mutating func remove(_ item: QueuedItem) {
    count -= 1
    forgetKey(of: item)
    if current.barrier != nil, removeBarrier(item) { return }
    huskCount += 1
    if huskCount > count + 64 { sweep() }
  }

  /// Takes a barrier out, and joins the segments on both sides of it.
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
    for priority in SerialQueue.Priority.allCases {
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

  /// Takes out all.
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
  /// Appends the segment after it, since the barrier between them has gone.
  ///
  /// - Returns: the place of the barrier.
  fileprivate mutating func join(_ next: Self) -> QueuedItem? {
    high.append(next.high)
    normal.append(next.normal)
    low.append(next.low)
    defer { barrier = next.barrier }
    return barrier
  }

  fileprivate subscript(priority: SerialQueue.Priority) -> ItemList {
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
