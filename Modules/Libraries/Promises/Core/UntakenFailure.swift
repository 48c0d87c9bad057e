import AsyncRuntime
import Synchronization

/// A failure, which all the promises that have it hold. When the last of them goes and nobody has taken it, that
/// is reported: so it is reported once, whatever became of the branches, and not before it is certain.
final class UntakenFailure: Sendable {
  private let error: any Error
  private let runtime: any Runtime
  private let span: Span
  private let isTaken: Atomic<Bool>
  /// The end of the way that was the first to be let go of.
  private let end = AtomicLazyReference<End>()

  private final class End: Sendable {
    let trail: FailureTrail
    init(_ trail: FailureTrail) { self.trail = trail }
  }

  init(_ error: any Error, in context: PromiseContext) {
    self.error = error
    runtime = context.runtime
    span = LaneContext.current.span
    isTaken = Atomic((error as? any SpokenFor)?.isSpokenFor == true)
  }

  /// Somebody was told it who can do something about it.
  func take() { isTaken.store(true, ordering: .releasing) }

  /// A promise that has it goes, and has told nobody.
  func dropped(at place: FailurePlace) {
    if isTaken.load(ordering: .relaxed) || end.load() != nil { return }
    _ = end.storeIfNil(End(FailureTrail(place)))
  }

  deinit {
    guard !isTaken.load(ordering: .acquiring), let trail = end.load()?.trail else { return }
    let error = error
    LateReport.misuse("unhandled-failure", of: span, on: runtime) { Self.report(of: error, trail) }
  }

  private static func report(of error: any Error, _ trail: FailureTrail) -> String {
    var way =
      "nobody took the failure “\(error)”, which began in the promise made at "
      + "\(trail.links.first?.site ?? "an unknown place")"
    if trail.links.count > 1, let last = trail.links.last {
      var between = trail.links.dropFirst().dropLast().map(\.description)
      if trail.leftOut > 0 { between.insert("\(trail.leftOut) more", at: 0) }
      if !between.isEmpty { way += ", went by way of \(between.joined(separator: " → "))" }
      way += ", and was let go of with the one made at \(last)"
    }
    return way + "; end the chain with catch, recover or whenComplete, or say ignoringFailure()"
  }
}

/// An error that may need nobody to take it.
protocol SpokenFor: Error {
  var isSpokenFor: Bool { get }
}

extension ResolverDropped: SpokenFor {
  /// It has been reported.
  var isSpokenFor: Bool { true }
}
