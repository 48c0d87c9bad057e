/// Those who wait, by priority, and within one in the order in which they came.
///
/// One doubly linked list a priority, all in one array, so that whoever waits in the middle leaves in constant
/// time, and a place that has been left is never taken for that of another.
struct PriorityLine<Element> {
  /// Where somebody stands, or stood.
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
  /// The first of those that nobody stands at.
  private var free = none
  /// Where somebody waits, the highest priority first. There are as many as priorities, which are few.
  private var levels: [Level] = []
  private var arrivals: UInt64 = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Nil once whoever stood there has left.
  subscript(place: Place) -> Element? {
    get { isTaken(place) ? nodes[Int(place.index)].element : nil }
    set { if isTaken(place), newValue != nil { nodes[Int(place.index)].element = newValue } }
  }

  /// Puts somebody behind all others of the priority.
  ///
  /// - Complexity: amortised O(1), and O(priorities in use).
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

  /// Takes out whoever stands there, unless they have left.
  mutating func remove(_ place: Place) -> Element? {
    isTaken(place) ? take(place.index) : nil
  }

  /// Gives whoever stands there another priority: they come before those of it who came after them.
  ///
  /// - Complexity: O(those of the priority who came after them).
  mutating func move(_ place: Place, to priority: UInt8) {
    guard isTaken(place), nodes[Int(place.index)].priority != priority else { return }
    unlink(place.index)
    link(place.index, priority)
  }

  /// Whoever comes first: of the highest priority the one who came first.
  var first: Place? { levels.first.map { place(of: $0.first) } }

  /// Whoever came first of all.
  var oldest: Place? {
    levels.min { nodes[Int($0.first)].arrival < nodes[Int($1.first)].arrival }
      .map { place(of: $0.first) }
  }

  /// Takes out everybody, first who comes first.
  mutating func removeAll() -> [Element] {
    var all: [Element] = []
    all.reserveCapacity(count)
    while let first, let element = remove(first) { all.append(element) }
    return all
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
