/// A step of the critical path, and why it could continue.
package struct CriticalPart: Sendable, Hashable {
  // A path can have a million steps, so positions take four bytes, and there are no gaps between the properties.
  private let stepPosition: CompactOptional<Int32>
  private var sourcePosition = CompactOptional<Int32>()
  private var waiterPosition = CompactOptional<Int32>()
  private var kind: HandOver.Kind?
  private var before = HandOver.Moment.start
  /// Whether its source is a pattern, and the previous step of the path was the last part of that pattern.
  var followsPartOfSource = false
  /// When its share of the makespan begins and ends, in nanoseconds since the start of the run.
  package var from: Int64
  package var to: Int64

  /// A recorded wait of a step on the path.
  struct Link {
    let kind: HandOver.Kind
    /// The position of the step that let it continue. Nil for the run's own step.
    let source: Int?
    /// The position of the step that waited: the step itself, or a pattern around it. Nil for the run's own step.
    let waiter: Int?
    let before: HandOver.Moment
  }

  init(step: Int?, from: Int64, to: Int64) {
    stepPosition = CompactOptional(position: step)
    (self.from, self.to) = (from, to)
  }

  /// Its position among the steps of the record.
  package var step: Int { stepPosition.position ?? 0 }
  /// Whether it is a share of the run's own step. Such a share is left out of the path in the end.
  var isOfOwnStep: Bool { stepPosition.position == nil }

  /// Whether it is a share of the step at a position, or of the run's own step if that is nil.
  func isShare(of step: Int?) -> Bool { stepPosition.position == step }

  /// The last wait of the step. Nil for the first step of the path, and for a step that waited for no other one.
  var cause: Link? {
    get {
      kind.map {
        Link(
          kind: $0, source: sourcePosition.position, waiter: waiterPosition.position,
          before: before)
      }
    }
    set {
      kind = newValue?.kind
      sourcePosition.position = newValue?.source
      waiterPosition.position = newValue?.waiter
      before = newValue?.before ?? .start
    }
  }

  /// Why another step let it continue. Nil without such a step.
  package var reason: HandOver.Kind? { sourcePosition.position == nil ? nil : kind }

  /// Its share of the makespan, in nanoseconds.
  package var time: Int64 { to.subtractingClamped(from) }
}

extension [CriticalPart] {
  /// The position of the step that let a part continue. Nil for the first part, or if the run's own step did.
  ///
  /// If a pattern let it continue, the previous step on the path may be the last part of that pattern. In that case
  /// this is the position of that part.
  package func source(of index: Int) -> Int? {
    self[index].followsPartOfSource ? self[index - 1].step : self[index].cause?.source
  }
}

/// A period on the critical path in which a timer delayed the next step, or the end of a pattern.
package struct CriticalDelay: Sendable, Hashable {
  /// The position of the pattern that set the timer. Nil for the run's own step.
  package var pattern: Int?
  package var from: Int64
  package var to: Int64
}
