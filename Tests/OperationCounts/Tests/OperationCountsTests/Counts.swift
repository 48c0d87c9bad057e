import AsyncPatterns
import CCounting

/// How often an operation allocates memory, retains an object and locks a mutex. The numbers are equal in each run with
/// the same compiler and architecture, so a regression cannot hide in noise.
struct Counts: Equatable {
  var allocations: Int
  var retains: Int
  var locks: Int
}

extension Counts {
  /// The counts of one operation.
  ///
  /// - Parameter perform: performs so many operations on the calling thread. It may also do something that costs the
  ///   same for any number of operations.
  init(_ perform: (Int) throws -> Void) rethrows {
    // The first operations make all objects that are made only once.
    try perform(2 * Self.number)
    let start = counted_operations()
    try perform(Self.number)
    let middle = counted_operations()
    try perform(2 * Self.number)
    let end = counted_operations()
    self.init {
      (end[keyPath: $0] - middle[keyPath: $0]) - (middle[keyPath: $0] - start[keyPath: $0])
    }
  }

  /// The counts of one operation of a run that has many, on any thread.
  ///
  /// - Parameter perform: performs at least 3 × `number` operations on one thread, and calls its argument after each.
  init(ofEach perform: (@escaping @Sendable () -> Void) throws -> Void) rethrows {
    let readings = Locked((count: 0, start: operation_counts(), end: operation_counts()))
    try perform {
      readings.withLock { readings in
        readings.count += 1
        if readings.count == 2 * Self.number { readings.start = counted_operations() }
        if readings.count == 3 * Self.number { readings.end = counted_operations() }
      }
    }
    let (_, start, end) = readings.withLock { $0 }
    self.init { end[keyPath: $0] - start[keyPath: $0] }
    // The lock of the readings.
    locks -= 1
  }

  static let number = 1_000

  /// - Parameter difference: how much more there is of something after `number` operations than before.
  private init(_ difference: (KeyPath<operation_counts, Int>) -> Int) {
    func each(_ count: KeyPath<operation_counts, Int>) -> Int {
      // Rounded, since an array that grows allocates a few times for a thousand operations.
      Int((Double(difference(count)) / Double(Self.number)).rounded())
    }
    self.init(
      allocations: each(\.allocations), retains: each(\.retains), locks: each(\.locks))
  }
}
