import AsyncRuntime
import Synchronization

/// A failure, shared by all promises that have it. It is reported if no code has handled it when the last of those
/// promises is released. So it is reported once, for all branches together, and only when no code can handle it any
/// more.
final class UntakenFailure: Sendable {
  private let error: any Error
  private let runtime: any Runtime
  private let span: Span
  private let isTaken: Atomic<Bool>
  /// The end of the path that was the first to be released.
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

  /// Marks the failure as handled: code that can act on it has received it.
  func take() { isTaken.store(true, ordering: .releasing) }

  /// Called when a promise with this failure is released and has passed it to no other promise.
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
      "the failure “\(error)” was not handled: it began in the promise made at "
      + "\(trail.links.first?.site ?? "an unknown place")"
    if trail.links.count > 1, let last = trail.links.last {
      var between = trail.links.dropFirst().dropLast().map(\.description)
      if trail.leftOut > 0 { between.insert("\(trail.leftOut) more", at: 0) }
      if !between.isEmpty { way += ", passed through \(between.joined(separator: " → "))" }
      way += ", and was released with the one made at \(last)"
    }
    return way + "; end the chain with catch, recover or whenComplete, or call ignoringFailure()"
  }
}

/// An error that may not need to be handled.
protocol SpokenFor: Error {
  var isSpokenFor: Bool { get }
}

extension ResolverDropped: SpokenFor {
  /// It has already been reported.
  var isSpokenFor: Bool { true }
}
