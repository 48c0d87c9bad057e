/// What an operation sees of the run it is in: the values of those before it, and room for its own.
///
/// For use while the run is held: by whoever starts the operation, and then by its token.
struct OperationFrame: @unchecked Sendable {
  // Safe to share: the host is, and somebody holds it.
  unowned(unsafe) let host: any OperationHost
  let values: RunValues.Places
  /// Where the operations and slots of the graph begin that the operation was added to; more than 0 if
  /// that graph has become part of another one.
  var firstOperation: Int32 = 0
  var firstSlot: Int32 = 0

  init(host: any OperationHost, values: RunValues.Places) {
    self.host = host
    self.values = values
  }

  /// The value of an input, or how it ended.
  func value<Value>(of operation: OperationGraph.Operation<Value>) -> Value {
    operation.isOutcome
      ? values.outcome(
        at: place(of: operation.slot), host.ending(of: firstOperation + operation.index))
      : values.value(at: place(of: operation.slot), as: Value.self)
  }

  func store<Value>(_ value: consuming Value, at slot: Int32) {
    values.store(value, at: place(of: slot))
  }

  /// The slot among all those of the run.
  func place(of slot: Int32) -> Int32 { slot < 0 ? slot : firstSlot + slot }
}

extension RunValues.Places {
  /// - Parameters:
  ///   - slot: where the value is if there is one.
  ///   - ending: that of the operation.
  func outcome<Outcome>(at slot: Int32, _ ending: Ending) -> Outcome {
    guard let type = Outcome.self as? any ReadableOutcome.Type,
      let outcome = type.read(slot, of: self, ending) as? Outcome
    else { preconditionFailure("what stands for an outcome is of no other type") }
    return outcome
  }
}
