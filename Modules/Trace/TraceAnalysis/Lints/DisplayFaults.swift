/// A fault in how a pattern displays.
struct DisplayFault {
  enum Kind {
    /// These displays started, and their end was never reported.
    case missingEnds([Displays.Display])
    /// The nanoseconds spent on drawings that were cancelled, out of the total `of`.
    case wasted(nanoseconds: Int64, of: Int64, cancelled: Int, drawings: Int)
    /// These drawings ran to the end although the layer had been released at `since`. They took `nanoseconds` after
    /// that.
    case drawnAfterRelease([Displays.Display], nanoseconds: Int64, since: Int64)
  }

  let pattern: Int
  let kind: Kind
}

extension SpanTable {
  /// The smallest number of cancelled drawings that is reported.
  private static let wastedDrawings = 3
  /// The nanoseconds that a drawing may keep running after it was cancelled.
  private static let unnoticed: Int64 = 1_000_000

  /// The faults of displays, in the order in which their patterns were submitted.
  ///
  /// - Complexity: O(n log n) in the number of steps of those patterns.
  var displayFaults: [DisplayFault] {
    displays.records.sorted { $0.key < $1.key }.flatMap { pattern, record in
      let steps = partsByLabel(of: pattern)
      return [
        missingEnds(record, in: pattern, steps), waste(record, steps),
        drawnAfterRelease(record, steps),
      ].compactMap { kind in kind.map { DisplayFault(pattern: pattern, kind: $0) } }
    }
  }

  private func missingEnds(
    _ record: Displays.Record, in pattern: Int, _ steps: [String: Int]
  ) -> DisplayFault.Kind? {
    // A pattern that is cancelled or fails may abandon drawings. A pattern that reports this fault itself needs no
    // second report.
    guard finishTime(of: pattern) == nil || nodes[pattern].outcome == .success,
      !misuses.contains(where: { $0.node == pattern && $0.rule == "missing-did-display" })
    else { return nil }
    let missing = record.displays.filter { display in
      guard display.isFinished == nil else { return false }
      if finishTime(of: pattern) != nil { return true }
      // The display may still end, unless it was cancelled and is not running.
      let hasStarted = steps[display.label].map(hasStarted) ?? false
      return record.lastRequest > display.position && !hasStarted
    }
    return missing.isEmpty ? nil : .missingEnds(missing)
  }

  private func waste(_ record: Displays.Record, _ steps: [String: Int]) -> DisplayFault.Kind? {
    var (total, wasted): (Int64, Int64) = (0, 0)
    var (drawings, cancelled) = (0, 0)
    for display in record.displays {
      guard let step = steps[display.label], let duration = duration(of: step)
      else { continue }
      drawings += 1
      total = total.addingClamped(duration)
      guard display.isFinished == false else { continue }
      cancelled += 1
      wasted = wasted.addingClamped(duration)
    }
    guard cancelled >= Self.wastedDrawings, wasted > total - wasted else { return nil }
    return .wasted(
      nanoseconds: wasted, of: total, cancelled: cancelled, drawings: drawings)
  }

  private func drawnAfterRelease(
    _ record: Displays.Record, _ steps: [String: Int]
  ) -> DisplayFault.Kind? {
    guard let released = record.released else { return nil }
    var wasted: Int64 = 0
    let drawn = record.displays.filter { display in
      guard let step = steps[display.label], nodes[step].outcome == .success,
        let started = startTime(of: step), let finished = finishTime(of: step)
      else { return false }
      let rest = finished.subtractingClamped(max(started, released))
      // A drawing that was about to end may not have checked again whether it was cancelled.
      guard started >= released || rest >= Self.unnoticed else { return false }
      wasted = wasted.addingClamped(rest)
      return true
    }
    return drawn.isEmpty ? nil : .drawnAfterRelease(drawn, nanoseconds: wasted, since: released)
  }
}
