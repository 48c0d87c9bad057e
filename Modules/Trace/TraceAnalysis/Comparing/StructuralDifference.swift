/// The first difference between two runs on the virtual clock: the event, its step and its time.
///
/// It needs no statistics: two runs with the same composition, clock and seed are equal unless something changed.
public struct StructuralDifference: Sendable, Hashable, CustomStringConvertible {
  public var kind: Kind
  /// The path of the step concerned, if the difference concerns one step.
  public var path: String?
  /// The text for the first run. `second` is the text for the second run.
  public var first: String
  public var second: String
  /// The time in nanoseconds since the start, the earlier of two times. Nil if the difference concerns the run as a
  /// whole.
  public var time: Int64?
  /// The lane of the step. Nil if it had not started by then.
  public var lane: String?

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The next event differs, or one run has no further event.
    case order
    /// The same event happened at another time.
    case time
    /// The same event happened on another lane.
    case lane
    /// A step, or the run, ended with another outcome.
    case outcome
    /// An edge differs: another step caused the start or the continuation.
    case edge
    /// The points of a counter differ in value, in time or in number.
    case counter
    /// A total or the findings differ.
    case total
  }

  /// When and where: `at 20ms, “job/fetch” on pool-1`.
  public var place: String {
    let step = path.map { "“\($0)”" + (lane.map { " on \($0)" } ?? "") }
    let parts = [time.map { "at \(Self.clock($0))" }, step].compactMap { $0 }
    return parts.isEmpty ? "at the end" : parts.joined(separator: ", ")
  }

  public var description: String {
    let place = path.map { "“\($0)” " } ?? ""
    return switch kind {
    case .order: "in the first run \(first), in the second \(second)"
    default: "\(place)\(first) in the first run, \(second) in the second"
    }
  }

  /// The earliest difference between two runs, or nil if there is none.
  ///
  /// - Complexity: O(n log n) in the number of steps, O(n) in the numbers of edges and of counter points.
  public static func first(
    between first: RunRecord, and second: RunRecord
  ) -> StructuralDifference? {
    difference(inMomentsOf: first, second) ?? order(first, second) ?? edges(first, second)
      ?? counters(first, second) ?? totals(first, second)
  }

  // MARK: Steps

  struct Moment: Equatable {
    let time: Int64
    let verb: String
    let step: StepRecord

    var text: String { "“\(step.path)” \(verb) at \(clock(time))" }

    /// Whether the same event happened to the same step, at the same time and in the same place.
    func isSame(as other: Moment) -> Bool {
      (step.path, verb, time) == (other.step.path, other.verb, other.time)
        && (verb == "was submitted" || step.lane == other.step.lane)
        && (verb != "finished" || step.outcome == other.step.outcome)
    }

    func difference(_ kind: Kind, _ first: String, _ second: String) -> StructuralDifference {
      StructuralDifference(
        kind: kind, path: step.path, first: first, second: second, time: time,
        lane: verb == "was submitted" ? nil : step.lane)
    }
  }

  private static func difference(
    inMomentsOf first: RunRecord, _ second: RunRecord
  ) -> StructuralDifference? {
    let (left, right) = moments(of: first, and: second)
    for (one, other) in zip(left, right) {
      let path = one.step.path
      if path != other.step.path || one.verb != other.verb {
        // The event of one run may occur later in the other.
        let (next, others) = one.time <= other.time ? (one, right) : (other, left)
        let same = others.filter { $0.step.path == next.step.path && $0.verb == next.verb }
        if same.count == 1, same[0].time != next.time {
          let times = one.time <= other.time ? (next.time, same[0].time) : (same[0].time, next.time)
          return time(next, times.0, times.1)
        }
        return next.difference(.order, one.text, other.text)
      }
      if one.time != other.time { return time(one, one.time, other.time) }
      if one.verb != "was submitted", one.step.lane != other.step.lane {
        return one.difference(
          .lane, "ran on \(one.step.lane ?? "no lane")", "on \(other.step.lane ?? "no lane")")
      }
      if one.verb == "finished", one.step.outcome != other.step.outcome {
        return one.difference(
          .outcome, "ended as \(one.step.outcome.rawValue)",
          "as \(other.step.outcome.rawValue)")
      }
    }
    if left.count == right.count { return nil }
    let longer = left.count > right.count ? left : right
    let extra = longer[min(left.count, right.count)]
    // A recording that ends early does not prove that nothing more happened.
    let isIncomplete = left.count > right.count ? second.isIncomplete : first.isIncomplete
    let nothing = isIncomplete ? "the run did not finish" : "nothing more happened"
    var difference = extra.difference(
      isIncomplete ? .outcome : .order, left.count > right.count ? extra.text : nothing,
      left.count > right.count ? nothing : extra.text)
    if isIncomplete { (difference.path, difference.lane) = (nil, nil) }
    return difference
  }

  private static func time(
    _ moment: Moment, _ first: Int64, _ second: Int64
  ) -> StructuralDifference {
    var difference = moment.difference(
      .time, "\(moment.verb) at \(clock(first))", "at \(clock(second))")
    difference.time = min(first, second)
    return difference
  }

  /// The events of the steps of both runs, those of each run in their order.
  ///
  /// At the same instant it is the order in which they were recorded. If that is not known for both runs, it is the
  /// order of the steps.
  static func moments(
    of first: RunRecord, and second: RunRecord
  ) -> (first: [Moment], second: [Moment]) {
    let isKnown = first.nodes != nil && second.nodes != nil
    return (moments(of: first, asRecorded: isKnown), moments(of: second, asRecorded: isKnown))
  }

  private static func moments(of run: RunRecord, asRecorded: Bool) -> [Moment] {
    let (table, nodes) = asRecorded ? (run.table, run.nodes) : (nil, nil)
    var moments: [(moment: Moment, position: Int)] = []
    moments.reserveCapacity(3 * run.steps.count)
    for (position, step) in run.steps.enumerated() {
      // The positions of the node's events, if they are known.
      var submit: Int?
      var start: Int?
      var finish: Int?
      if let table, let nodes {
        let node = nodes[position]
        submit = table.nodes[node].submitPosition
        start = table.hasStarted(node) ? table.startPosition(of: node) : submit
        finish = table.finishPosition(of: node)
      }
      func add(_ verb: String, at time: Int64?, _ position: Int) {
        if let time { moments.append((Moment(time: time, verb: verb, step: step), position)) }
      }
      add("was submitted", at: step.submitted, submit ?? position)
      // A place has no events for its start and its end.
      add("started", at: step.started, start ?? position)
      add("finished", at: step.finished, finish ?? position)
    }
    // The sort is stable: events with the same position keep the order in which they were added.
    moments.sort { ($0.moment.time, $0.position) < ($1.moment.time, $1.position) }
    return moments.map(\.moment)
  }

  /// Compares the order of the steps that finished at the same instant.
  private static func order(_ first: RunRecord, _ second: RunRecord) -> StructuralDifference? {
    for (one, other) in zip(finished(first), finished(second)) where one.path != other.path {
      let time = clock(one.finished ?? 0)
      return .init(
        kind: .order, path: one.path, first: "“\(one.path)” finished first at \(time)",
        second: "“\(other.path)” did", time: one.finished, lane: one.lane)
    }
    return nil
  }

  private static func finished(_ run: RunRecord) -> [StepRecord] {
    run.steps.filter { $0.finishRank != nil }
      .sorted { ($0.finishRank ?? 0) < ($1.finishRank ?? 0) }
  }

  // MARK: Edges and totals

  private static func edges(_ first: RunRecord, _ second: RunRecord) -> StructuralDifference? {
    func text(_ edge: EdgeRecord?) -> String {
      edge.map { "“\($0.from)” let “\($0.to)” continue (\($0.kind.words))" } ?? "no further edge"
    }
    let (ones, others) = (first.edges, second.edges)
    guard ones != others else { return nil }
    let names = StepNames(first, second)
    for index in 0..<max(ones.count, others.count) {
      let one = ones.indices.contains(index) ? ones[index] : nil
      let other = others.indices.contains(index) ? others[index] : nil
      if let one, let other, one.kind == other.kind, names.areSame(one.from, other.from),
        names.areSame(one.to, other.to)
      {
        continue
      }
      // An edge names a step by its path, or by its label where the label is unique.
      let name = one?.to ?? other?.to ?? ""
      let step = first.steps.first { $0.path == name } ?? first.steps.first { $0.label == name }
      return .init(
        kind: .edge, path: nil, first: text(one), second: text(other), time: step?.started,
        lane: nil)
    }
    return nil
  }

  /// The names of the steps of two runs.
  struct StepNames {
    private let first: Set<String>
    private let second: Set<String>

    init(_ first: RunRecord, _ second: RunRecord) {
      self.first = Set(first.steps.flatMap { [$0.label, $0.path] })
      self.second = Set(second.steps.flatMap { [$0.label, $0.path] })
    }

    /// Whether both names are those of the same step. The runs' own steps are the same step, whatever their patterns.
    func areSame(_ one: String, _ other: String) -> Bool {
      one == other || !first.contains(one) && !second.contains(other)
    }
  }

  private static func totals(_ first: RunRecord, _ second: RunRecord) -> StructuralDifference? {
    if first.outcome != second.outcome {
      return .init(
        kind: .outcome, path: nil, first: "the run ended as \(first.outcome.rawValue)",
        second: "as \(second.outcome.rawValue)")
    }
    let totals: [(String, (RunRecord) -> String)] = [
      ("the value is", { "\($0.value)" }), ("the error is", { $0.error ?? "none" }),
      ("the makespan is", { clock($0.makespan) }), ("the work is", { clock($0.work) }),
      ("the blocked time is", { clock($0.blocked) }),
      ("the concurrency is", { "\($0.maxConcurrency)" }),
      ("the thread count is", { "\($0.threads)" }),
      ("the critical path is", { $0.criticalPath.joined(separator: ", ") }),
      (
        "the findings are",
        { run in
          run.lints.isEmpty
            ? "none" : run.lints.map { "\($0.rule) of “\($0.place)”" }.joined(separator: ", ")
        }
      ),
    ]
    for (name, value) in totals where value(first) != value(second) {
      return .init(
        kind: .total, path: nil, first: "\(name) \(value(first))", second: value(second))
    }
    return nil
  }

  package static func clock(_ nanoseconds: Int64) -> String {
    // Every nanosecond matters here.
    let text = nanoseconds.durationText
    return nanoseconds % 1000 == 0 ? text : "\(nanoseconds)ns"
  }
}
