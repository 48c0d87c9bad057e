/// Disjoint time spans in order. No two of them touch.
struct TimeSpans {
  private(set) var all: [Range<Int64>] = []

  var total: Int64 {
    all.reduce(0) { $0.addingClamped($1.upperBound.subtractingClamped($1.lowerBound)) }
  }

  /// The times that at least `depth` of the spans cover. Empty spans are ignored.
  ///
  /// - Complexity: O(n log n).
  init(_ spans: some Sequence<Range<Int64>>, depth: Int = 1) {
    var changes: [(time: Int64, amount: Int)] = []
    for span in spans where !span.isEmpty {
      changes.append((span.lowerBound, 1))
      changes.append((span.upperBound, -1))
    }
    changes.sort { ($0.time, -$0.amount) < ($1.time, -$1.amount) }
    var open = 0
    var since: Int64 = 0
    for change in changes {
      let before = open
      open += change.amount
      if before < depth, open >= depth { since = change.time }
      if before >= depth, open < depth, since < change.time { all.append(since..<change.time) }
    }
  }

  /// The times that both cover.
  ///
  /// - Complexity: O(n) in the number of time spans of both.
  func intersection(_ other: TimeSpans) -> TimeSpans {
    var result = TimeSpans(EmptyCollection())
    var (mine, others) = (0, 0)
    while mine < all.count, others < other.all.count {
      let common = all[mine].clamped(to: other.all[others])
      if !common.isEmpty { result.all.append(common) }
      if all[mine].upperBound < other.all[others].upperBound { mine += 1 } else { others += 1 }
    }
    return result
  }

  /// The times that this covers and the other does not.
  func subtracting(_ other: TimeSpans) -> TimeSpans {
    var result = TimeSpans(EmptyCollection())
    var position = 0
    for span in all {
      var from = span.lowerBound
      while position < other.all.count, other.all[position].upperBound <= from { position += 1 }
      var next = position
      while next < other.all.count, other.all[next].lowerBound < span.upperBound {
        if from < other.all[next].lowerBound {
          result.all.append(from..<other.all[next].lowerBound)
        }
        from = max(from, other.all[next].upperBound)
        next += 1
      }
      if from < span.upperBound { result.all.append(from..<span.upperBound) }
    }
    return result
  }

  /// Whether any of these time spans overlaps `span`.
  ///
  /// - Complexity: O(log n).
  func touches(_ span: Range<Int64>) -> Bool {
    let next = all.firstIndexBeyond { $0.upperBound > span.lowerBound }
    return next < all.count && all[next].lowerBound < span.upperBound && !span.isEmpty
  }
}
