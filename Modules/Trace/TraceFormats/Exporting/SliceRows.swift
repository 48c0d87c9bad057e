internal import HeapModule

/// Rows of nested slices, for formats in which overlapping slices cannot share a row. Each lane has one row. Further
/// rows of a lane are added below all existing rows, as needed.
///
/// A slice goes to the row of its enclosing step, if that step is the innermost slice there. Otherwise it goes to the
/// first free row of its lane. Slices must be added in the order in which they start.
struct SliceRows {
  private(set) var names: [String] = []
  /// For each row, its lane.
  private(set) var lanes: [Lane] = []

  private let table: SpanTable
  /// For each row, the slices that are still open, the innermost last.
  private var open: [[Open]] = []
  private var rowOfNode: [Int32]
  private var rowsOfLane: [Lane: LaneRows] = [:]

  private struct Open {
    let end: Int64
    let node: Int
  }

  private struct LaneRows {
    let first: Int
    var count = 1
    /// The occupied rows, ordered by when they become free. `free` contains the free rows.
    var busy: Heap<Busy> = []
    var free: Heap<Int> = []
  }

  private struct Busy: Comparable {
    let end: Int64
    let row: Int
    static func < (left: Busy, right: Busy) -> Bool {
      (left.end, left.row) < (right.end, right.row)
    }
  }

  init(_ table: SpanTable) {
    self.table = table
    rowOfNode = Array(repeating: -1, count: table.nodes.count)
    for lane in table.lanes.all.sorted() { addLane(lane) }
  }

  private mutating func addLane(_ lane: Lane) {
    rowsOfLane[lane] = LaneRows(first: names.count, free: [names.count])
    addRow(table.lanes.name(of: lane), lane)
  }

  private mutating func addRow(_ name: String, _ lane: Lane) {
    names.append(name)
    lanes.append(lane)
    open.append([])
  }

  /// The row with the name of the lane.
  func first(of lane: Lane) -> Int { rowsOfLane[lane]?.first ?? 0 }

  /// Finds a row in which a slice nests, and occupies it.
  ///
  /// - Parameters:
  ///   - node: the step that the slice represents, or belongs to.
  ///   - isStep: whether the slice is the step itself.
  ///   - mayAdd: whether the slice may go to a further row of the lane, which is added if none is free. Otherwise there
  ///     may be no row for it.
  /// - Returns: the row, or nil if there is none.
  /// - Complexity: O(log n) in the number of rows.
  mutating func row(
    for node: Int?, isStep: Bool, lane: Lane, from: Int64, to: Int64, mayAdd: Bool
  ) -> Int? {
    if rowsOfLane[lane] == nil { addLane(lane) }
    let row =
      rowOfHolder(node, isStep, lane, from, to) ?? freeRow(lane, from, to, mayAdd: mayAdd)
    guard let row else { return nil }
    open[row].append(Open(end: to, node: node ?? -1))
    if isStep, let node { rowOfNode[node] = Int32(row) }
    return row
  }

  /// The row in which the enclosing step is the innermost slice, if that step does not end before the new slice.
  private mutating func rowOfHolder(
    _ node: Int?, _ isStep: Bool, _ lane: Lane, _ from: Int64, _ to: Int64
  ) -> Int? {
    let holders = table.enclosing(isStep ? node.flatMap { table.nodes[$0].parent } : node)
    for holder in holders {
      let row = Int(rowOfNode[holder])
      guard row >= 0, lanes[row] == lane else { continue }
      close(row, at: from)
      guard let last = open[row].last else { return nil }
      return last.node == holder && last.end >= to ? row : nil
    }
    return nil
  }

  private mutating func close(_ row: Int, at time: Int64) {
    while let last = open[row].last, last.end <= time { open[row].removeLast() }
  }

  private mutating func freeRow(
    _ lane: Lane, _ from: Int64, _ to: Int64, mayAdd: Bool
  ) -> Int? {
    // The rows are removed from the dictionary meanwhile, so that they are changed in place.
    guard var rows = rowsOfLane.removeValue(forKey: lane) else { return nil }
    defer { rowsOfLane[lane] = rows }
    while let busy = rows.busy.min, busy.end <= from {
      rows.busy.removeMin()
      rows.free.insert(busy.row)
    }
    if !mayAdd, rows.free.min != rows.first { return nil }
    let row: Int
    if let free = rows.free.popMin() {
      row = free
      open[row].removeAll(keepingCapacity: true)
    } else {
      row = names.count
      addRow("\(table.lanes.name(of: lane)), overlapping \(rows.count)", lane)
      rows.count += 1
    }
    rows.busy.insert(Busy(end: to, row: row))
    return row
  }
}
