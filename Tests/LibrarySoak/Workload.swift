/// Operations of one library, in batches that leave nothing behind.
struct Workload: Sendable {
  let name: String
  /// The number of operations in a batch.
  let count: Int
  let batch: @Sendable () async throws -> Void

  static let all: [Workload] = [
    .serialQueue, .promises, .graph, .operationQueue, .joining, .transactions, .animation, .render,
  ]

  /// Performs batches until `operations` are done. The first fifth warms up.
  func measure(_ operations: Int) async throws -> Measured {
    let batches = max(10, (operations + count - 1) / count)
    let clock = ContinuousClock()
    let start = clock.now
    var (early, late) = (Resources.none, Resources.none)
    for number in 1...batches {
      try await batch()
      let resources = Resources.used()
      if number <= batches / 2, number > batches / 5 { early = early.largest(resources) }
      if number > batches / 2 { late = late.largest(resources) }
    }
    return Measured(
      name: name, operations: batches * count, time: clock.now - start, early: early, late: late)
  }
}

/// The measurements of a workload.
struct Measured {
  let name: String
  let operations: Int
  let time: Duration
  /// The most that was used in the first half, after the first fifth.
  let early: Resources
  /// The most that was used in the second half.
  let late: Resources

  static let header = row(
    "library", "operations", "seconds", "per second", "first half", "second half", "descriptors")

  var row: String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    return Self.row(
      name, "\(operations)", "\(Int(seconds.rounded()))", "\(Int(Double(operations) / seconds))",
      "\(early.memory >> 20) MiB", "\(late.memory >> 20) MiB",
      "\(early.descriptors) → \(late.descriptors)") + (isFlat ? "" : "   grows")
  }

  /// Allocators keep some memory, and ThreadSanitizer keeps more.
  ///
  /// Half of the operations are performed between the end of the first half and the end of the second. So a million
  /// operations reveal a leak of at least 17 bytes an operation, if the first half uses less than 160 MiB.
  var isFlat: Bool {
    late.memory - early.memory <= max(8 << 20, early.memory / 20)
      && late.descriptors <= early.descriptors
  }

  private static func row(_ cells: String...) -> String {
    let widths = [20, 12, 9, 12, 12, 13, 13]
    return zip(cells, widths).map { cell, width in
      let blanks = String(repeating: " ", count: max(0, width - cell.count))
      return width == widths[0] ? cell + blanks : blanks + cell
    }.joined()
  }
}
