/// Something wrong with how a pattern displays.
struct DisplayFault {
  enum Kind {
    /// These have begun, and nobody told their end.
    case missingEnds([Displays.Display])
    /// So much of the time drawn went into drawings that were called off.
    case wasted(nanoseconds: Int64, of: Int64, calledOff: Int, drawings: Int)
    /// These were drawn to the end though the layer had been let go of, for so long.
    case drawnForNobody([Displays.Display], nanoseconds: Int64, since: Int64)
  }

  let pattern: Int
  let kind: Kind
}

extension SpanTable {
  /// How many drawings have to be called off before that is worth a word.
  private static let wastedDrawings = 3
  /// Nanoseconds that a drawing may go on after it has been called off.
  private static let unnoticed: Int64 = 1_000_000

  /// What is wrong with displays, in the order in which their patterns were submitted.
  ///
  /// - Complexity: O(n log n) in the number of the steps of those patterns.
  var displayFaults: [DisplayFault] {
    displays.records.sorted { $0.key < $1.key }.flatMap { pattern, record in
      let steps = partsByLabel(of: pattern)
      return [
        missingEnds(record, in: pattern, steps), waste(record, steps),
        drawnForNobody(record, steps),
      ].compactMap { kind in kind.map { DisplayFault(pattern: pattern, kind: $0) } }
    }
  }

  private func missingEnds(
    _ record: Displays.Record, in pattern: Int, _ steps: [String: Int]
  ) -> DisplayFault.Kind? {
    // Who is called off, or fails, may leave drawings alone; and who tells of it itself need not be told.
    guard nodes[pattern].finished == nil || nodes[pattern].outcome == .success,
      !misuses.contains(where: { $0.node == pattern && $0.rule == "missing-did-display" })
    else { return nil }
    let missing = record.displays.filter { display in
      guard display.isFinished == nil else { return false }
      if nodes[pattern].finished != nil { return true }
      // Its end may be to come, unless it has been called off and is not at work.
      let step = steps[display.label].map { nodes[$0] }
      return record.lastRequest > display.position && step?.started == nil
    }
    return missing.isEmpty ? nil : .missingEnds(missing)
  }

  private func waste(_ record: Displays.Record, _ steps: [String: Int]) -> DisplayFault.Kind? {
    var (total, wasted): (Int64, Int64) = (0, 0)
    var (drawings, calledOff) = (0, 0)
    for display in record.displays {
      guard let step = steps[display.label].map({ nodes[$0] }), let duration = step.duration
      else { continue }
      drawings += 1
      total = total.addingClamped(duration)
      guard display.isFinished == false else { continue }
      calledOff += 1
      wasted = wasted.addingClamped(duration)
    }
    guard calledOff >= Self.wastedDrawings, wasted > total - wasted else { return nil }
    return .wasted(
      nanoseconds: wasted, of: total, calledOff: calledOff, drawings: drawings)
  }

  private func drawnForNobody(
    _ record: Displays.Record, _ steps: [String: Int]
  ) -> DisplayFault.Kind? {
    guard let released = record.released else { return nil }
    var wasted: Int64 = 0
    let drawn = record.displays.filter { display in
      guard let step = steps[display.label].map({ nodes[$0] }), step.outcome == .success,
        let started = step.started, let finished = step.finished
      else { return false }
      let rest = finished.subtractingClamped(max(started, released))
      // One that was about to end anyway may not have looked any more.
      guard started >= released || rest >= Self.unnoticed else { return false }
      wasted = wasted.addingClamped(rest)
      return true
    }
    return drawn.isEmpty ? nil : .drawnForNobody(drawn, nanoseconds: wasted, since: released)
  }
}
