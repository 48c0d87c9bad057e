/// Where two runs on the virtual clock first differ: the events of both, side by side, with a few events before and
/// after.
public struct Divergence: Sendable, Hashable {
  public var difference: StructuralDifference
  /// The events of both runs, those of each run in the order of that run. A few precede the first difference, and a few
  /// follow it.
  public var rows: [Row]

  public struct Row: Sendable, Hashable {
    /// The event of the first run, or a note that the run did not finish. Nil if the run has no further event.
    public var first: Entry?
    public var second: Entry?
    public var isDifferent: Bool
  }

  /// An event.
  public struct Entry: Sendable, Hashable {
    /// In nanoseconds since the start of the run. Nil if it concerns the run as a whole.
    public var time: Int64?
    /// The path of the step, if the event concerns one step.
    public var step: String?
    public var text: String
  }

  private static let before = 2
  private static let after = 3

  /// Returns nil if the two runs are the same.
  ///
  /// - Complexity: O(n log n) in the number of steps.
  public init?(between first: RunRecord, and second: RunRecord) {
    guard let difference = StructuralDifference.first(between: first, and: second) else {
      return nil
    }
    self.difference = difference
    let (left, right) = StructuralDifference.moments(of: first, and: second)
    let common = zip(left, right).prefix { $0.isSame(as: $1) }.count
    guard common < max(left.count, right.count) else {
      // All events are the same. An edge, a counter or a total differs.
      let counters =
        difference.kind == .counter ? StructuralDifference.counterSides(first, second) : nil
      rows = [
        Row(
          first: counters?.first ?? Entry(time: difference.time, text: difference.first),
          second: counters?.second ?? Entry(time: difference.time, text: difference.second),
          isDifferent: true)
      ]
      return
    }
    let end = min(common + 1 + Self.after, max(left.count, right.count))
    rows = (max(common - Self.before, 0)..<end).map { index in
      let one = left.indices.contains(index) ? left[index] : nil
      let other = right.indices.contains(index) ? right[index] : nil
      let isSame = one.flatMap { one in other.map(one.isSame) } ?? false
      return Row(
        first: one.map(Entry.init) ?? Entry(behind: first),
        second: other.map(Entry.init) ?? Entry(behind: second), isDifferent: !isSame)
    }
  }
}

extension Divergence.Entry {
  /// The entry after the last event of a run: it says that the run did not finish. Nil unless the record is incomplete.
  fileprivate init?(behind record: RunRecord) {
    guard record.isIncomplete else { return nil }
    self.init(time: nil, step: nil, text: "the run did not finish")
  }

  fileprivate init(_ moment: StructuralDifference.Moment) {
    let step = moment.step
    var text = moment.verb == "was submitted" ? "submitted" : moment.verb
    if moment.verb == "finished", step.outcome != .success {
      text += " as \(step.outcome.rawValue)"
    }
    if moment.verb != "was submitted", let lane = step.lane { text += " on \(lane)" }
    self.init(time: moment.time, step: step.path, text: text)
  }
}
