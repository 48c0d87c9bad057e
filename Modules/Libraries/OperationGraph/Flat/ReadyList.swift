/// Ready operations, first in, first out.
///
/// This is a linked list in memory that all lists of a run share, with one link for each operation. An operation is in
/// at most one list. So joining lists is free, and lists need no memory of their own.
struct ReadyList {
  /// For each operation, the next one in its list.
  typealias Links = UnsafeMutablePointer<Int32>

  private var first: Int32 = -1
  private var last: Int32 = -1
  private(set) var count = 0

  init() {}

  init(_ operations: [Int32], _ links: Links) {
    for operation in operations { append(operation, links) }
  }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ operation: Int32, _ links: Links) {
    if isEmpty { first = operation } else { links[Int(last)] = operation }
    last = operation
    count += 1
  }

  mutating func append(_ others: ReadyList, _ links: Links) {
    guard !others.isEmpty else { return }
    if isEmpty { first = others.first } else { links[Int(last)] = others.first }
    last = others.last
    count += others.count
  }

  mutating func popFirst(_ links: Links) -> Int32? {
    guard !isEmpty else { return nil }
    let operation = first
    count -= 1
    if count > 0 { first = links[Int(operation)] }
    return operation
  }

  /// Removes and returns the first `most` operations, or all if there are fewer.
  mutating func popFirst(_ most: Int, _ links: Links) -> ReadyList {
    if most >= count {
      defer { self = ReadyList() }
      return self
    }
    var taken = ReadyList()
    while taken.count < most, let operation = popFirst(links) { taken.append(operation, links) }
    return taken
  }
}
