/// A queue ordered by priority, and at equal priority by arrival.
///
/// It keeps one doubly linked list for each priority, all in one array. So an element in the middle is removed in
/// constant time. The place of a removed element is never mistaken for the place of another one.
struct PriorityLine<Element> {
  /// The position of an element, which may have been removed.
  struct Place: Hashable, Sendable {
    fileprivate let index: Int32
    fileprivate let generation: UInt32
  }

  private struct Node {
    var element: Element?
    var generation: UInt32 = 0
    var priority: UInt8 = 0
    var arrival: UInt64 = 0
    var previous = none
    var next = none
  }

  private struct Level {
    let priority: UInt8
    var first: Int32
    var last: Int32
  }

  private static var none: Int32 { -1 }

  private var nodes: [Node] = []
  /// The first unused node.
  private var free = none
  /// The priorities in use, the highest first. There are only a few.
  private var levels: [Level] = []
  private var arrivals: UInt64 = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The element at a place; nil once it was removed.
  subscript(place: Place) -> Element? {
    get { isTaken(place) ? nodes[Int(place.index)].element : nil }
    set { if isTaken(place), newValue != nil { nodes[Int(place.index)].element = newValue } }
  }

  /// Adds an element after all others of the same priority.
  ///
  /// - Complexity: amortised O(1), plus O(priorities in use).
  mutating func append(_ element: Element, priority: UInt8 = 0) -> Place {
    let index: Int32
    if free == Self.none {
      index = Int32(nodes.count)
      nodes.append(Node())
    } else {
      index = free
      free = nodes[Int(index)].next
    }
    arrivals += 1
    nodes[Int(index)].element = element
    nodes[Int(index)].arrival = arrivals
    count += 1
    link(index, priority)
    return Place(index: index, generation: nodes[Int(index)].generation)
  }

  /// Removes the element at a place, unless it was removed before.
  mutating func remove(_ place: Place) -> Element? {
    isTaken(place) ? take(place.index) : nil
  }

  /// Changes the priority of the element at a place. It then comes before the elements of that priority that arrived
  /// later.
  ///
  /// - Complexity: O(elements of that priority that arrived later).
  mutating func move(_ place: Place, to priority: UInt8) {
    guard isTaken(place), nodes[Int(place.index)].priority != priority else { return }
    unlink(place.index)
    link(place.index, priority)
  }

  /// The first element: the earliest one of the highest priority.
  var first: Place? { levels.first.map { place(of: $0.first) } }

  /// The element that arrived first, whatever its priority.
  var oldest: Place? {
    levels.min { nodes[Int($0.first)].arrival < nodes[Int($1.first)].arrival }
      .map { place(of: $0.first) }
  }

  // MARK: The lists

  private func place(of index: Int32) -> Place {
    Place(index: index, generation: nodes[Int(index)].generation)
  }

  private func isTaken(_ place: Place) -> Bool {
    nodes[Int(place.index)].generation == place.generation
  }

  private mutating func take(_ index: Int32) -> Element? {
    unlink(index)
    let element = nodes[Int(index)].element.take()
    nodes[Int(index)].generation &+= 1
    nodes[Int(index)].next = free
    free = index
    count -= 1
    return element
  }

  private mutating func link(_ index: Int32, _ priority: UInt8) {
    nodes[Int(index)].priority = priority
    let level = levels.firstIndex { $0.priority <= priority } ?? levels.count
    guard level < levels.count, levels[level].priority == priority else {
      nodes[Int(index)].previous = Self.none
      nodes[Int(index)].next = Self.none
      levels.insert(Level(priority: priority, first: index, last: index), at: level)
      return
    }
    let arrival = nodes[Int(index)].arrival
    var previous = levels[level].last
    while previous != Self.none, nodes[Int(previous)].arrival > arrival {
      previous = nodes[Int(previous)].previous
    }
    let next = previous == Self.none ? levels[level].first : nodes[Int(previous)].next
    nodes[Int(index)].previous = previous
    nodes[Int(index)].next = next
    if previous == Self.none {
      levels[level].first = index
    } else {
      nodes[Int(previous)].next = index
    }
    if next == Self.none { levels[level].last = index } else { nodes[Int(next)].previous = index }
  }

  private mutating func unlink(_ index: Int32) {
    let node = nodes[Int(index)]
    guard let level = levels.firstIndex(where: { $0.priority == node.priority }) else { return }
    if node.previous == Self.none {
      levels[level].first = node.next
    } else {
      nodes[Int(node.previous)].next = node.next
    }
    if node.next == Self.none {
      levels[level].last = node.previous
    } else {
      nodes[Int(node.next)].previous = node.previous
    }
    if levels[level].first == Self.none { levels.remove(at: level) }
  }
}
