/// Where two runs on the virtual clock part: what each of them did there, side by side, with what came
/// just before and what came next.
public struct Divergence: Sendable, Hashable {
  public var difference: StructuralDifference
  /// What happened in either, in its own order; a few before the first that differs, and a few after it.
  public var rows: [Row]

  public struct Row: Sendable, Hashable {
    /// What the first run did, or that it did not finish; nil if it did nothing more.
    public var first: Entry?
    public var second: Entry?
    public var isDifferent: Bool
  }

  /// Something that happened.
  public struct Entry: Sendable, Hashable {
    /// In nanoseconds since the start; nil for what is of the run as a whole.
    public var time: Int64?
    /// The path of the step, if it is something that happened to one.
    public var step: String?
    public var text: String
  }

  private static let before = 2
  private static let after = 3

  /// Nil if the two are the same.
  ///
  /// - Complexity: O(n log n) in the number of steps.
  public init?(between first: RunRecord, and second: RunRecord) {
    guard let difference = StructuralDifference.first(between: first, and: second) else {
      return nil
    }
    self.difference = difference
    let left = StructuralDifference.moments(of: first)
    let right = StructuralDifference.moments(of: second)
    let common = zip(left, right).prefix { $0.isSame(as: $1) }.count
    guard common < max(left.count, right.count) else {
      // All happened alike; what differs is an edge, a counter or a total.
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
  /// What stands where nothing more is known of a run; nil if it did nothing more.
  fileprivate init?(behind record: RunRecord) {
    guard record.isCutOff else { return nil }
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
