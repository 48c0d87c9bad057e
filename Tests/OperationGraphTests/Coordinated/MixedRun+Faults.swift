import OperationGraph

extension MixedRun {
  // MARK: The end

  /// The first fault of the completed run; nil if there is none.
  var fault: String? {
    let (faults, completions, ends) = ledger.withLock {
      ($0.faults, $0.completions, $0.ends)
    }
    defer { ledger.withLock { $0.run = nil } }
    if let fault = faults.first { return fault }
    guard completions == 1, let run else { return "completed \(completions) times" }
    if let number = ends.first(where: { $0.value != 1 }) { return "\(number.key) ended twice" }
    if ends.count != run.progress.total { return "\(ends.count) of \(run.progress.total) ended" }
    let found = (0..<ledger.withLock { $0.known }).map { end(of: $0) }
    guard !found.contains(nil) else { return "not all have ended: \(found)" }
    let known = found.compactMap { $0 }
    return wrongResult(known) ?? (isDisturbed ? wrongEnd(known) : wrongEndUndisturbed(found))
  }

  /// Checks the result of the run, which follows from the ends of its operations.
  private func wrongResult(_ found: [MixedGraph.End]) -> String? {
    let error = ledger.withLock { $0.error }
    let failed = found.indices.filter { found[$0] == .failed }
    let isRight: Bool
    if let failures = error as? GraphFailures {
      let listed = failures.failures.compactMap { $0.operation.split(separator: "/").last }
      isRight = mixed.policy == .continue && listed.compactMap { Int($0) }.sorted() == failed
    } else if error is CancellationError {
      // A disturbed run may have been cancelled before an operation failed, or before it was closed.
      isRight =
        isDisturbed
        || found.contains(.cancelled) && (failed.isEmpty || !mixed.policy.startsAfterFailure)
    } else if error != nil {
      isRight = !failed.isEmpty && mixed.policy != .continue
    } else {
      // A cancellation by `cancel` or in another run does not affect the result.
      isRight =
        failed.isEmpty
        && (isDisturbed
          || !found.indices.contains { endsItself($0, found) && !mixed.nodes[$0].isRemote })
    }
    return isRight
      ? nil : "\(mixed.policy) ends with \(error.map { "\($0)" } ?? "success") after \(found)"
  }

  /// Checks a run with a cancellation: each operation is cancelled, or ends as its predecessors require.
  private func wrongEnd(_ found: [MixedGraph.End]) -> String? {
    for (index, node) in zip(found.indices, mixed.nodes) where found[index] != .cancelled {
      let right = mixed.end(of: node, after: node.before.map { found[$0] })
      guard found[index] != right else { continue }
      // An operation that is cancelled after a failed attempt is not retried.
      let isGivenUp =
        found[index] == .failed && node.attempts.count > 1
        && [.succeeded, .cancelled].contains(right)
      if !isGivenUp { return "\(index) \(found[index]), and not \(right), in \(found)" }
    }
    return nil
  }

  private func wrongEndUndisturbed(_ found: [MixedGraph.End?]) -> String? {
    let right = mixed.ends
    let isStopped =
      !mixed.policy.startsAfterFailure
      && found.indices.contains { found[$0] == .failed || endsItself($0, found) }
    for index in found.indices where found[index] != right[index] {
      if isStopped, found[index] == .cancelled || found[index] == .failed { continue }
      return "\(index) \(String(describing: found[index])), and not \(right[index]), in \(found)"
    }
    return nil
  }

  /// Whether an operation was cancelled by its own work.
  private func endsItself(_ index: Int, _ found: [MixedGraph.End?]) -> Bool {
    found[index] == .cancelled && ledger.withLock { $0.starts[index] } > 0
      && mixed.nodes[index].attempts.contains { $0 == .cancelsItself }
  }
}
