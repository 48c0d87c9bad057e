/// An operation's view of its run: the values of its predecessors, and storage for its own value.
///
/// Use it only while the run is kept alive. First the code that starts the operation keeps the run
/// alive, and then the operation's token does.
package struct OperationFrame: @unchecked Sendable {
  // Safe to share: the host is safe to share, and is kept alive as described above.
  unowned(unsafe) let host: any OperationHost
  let values: RunValues.Places
  /// The first operation and the first slot of the graph to which the operation was added, as positions in the run.
  /// Both are 0 unless that graph was embedded in another one.
  var firstOperation: Int32 = 0
  var firstSlot: Int32 = 0

  /// The value of an operation or input, or how the operation ended if the handle represents its outcome.
  package func value<Value>(of operation: OperationGraph.Operation<Value>) -> Value {
    operation.isOutcome
      ? values.outcome(
        at: place(of: operation.slot), host.ending(of: firstOperation + operation.index))
      : values.value(at: place(of: operation.slot), as: Value.self)
  }

  func store<Value>(_ value: consuming Value, at slot: Int32) {
    values.store(value, at: place(of: slot))
  }

  /// The index of the slot among all slots of the run.
  func place(of slot: Int32) -> Int32 { slot < 0 ? slot : firstSlot + slot }
}

extension RunValues.Places {
  /// - Parameters:
  ///   - slot: where the value is stored; negative if there is no value.
  ///   - ending: how the operation ended.
  func outcome<Outcome>(at slot: Int32, _ ending: Ending) -> Outcome {
    guard let type = Outcome.self as? any ReadableOutcome.Type,
      let outcome = type.read(slot, of: self, ending) as? Outcome
    else { preconditionFailure("an operation for an outcome has another type of value") }
    return outcome
  }
}
