/// The times at which each operation of a run became ready, started and ended.
struct RunRecords: Sendable {
  /// The time of the current decision.
  var now: Instant?
  private(set) var all: [OperationRecord] = []

  mutating func append() { all.append(OperationRecord()) }

  mutating func noteReady(_ operation: Int32) {
    // Keep the time at which the operation first became ready, because the first attempt could have started then.
    if all[Int(operation)].ready == nil { all[Int(operation)].ready = now }
  }

  mutating func noteStart(_ operation: Int32, attempt: Int) {
    if attempt == 1 { all[Int(operation)].started = now }
    all[Int(operation)].attempts = attempt
  }

  mutating func noteEnd(_ operation: Int32) { all[Int(operation)].finished = now }
}
