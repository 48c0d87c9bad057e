import AsyncRuntime
import Synchronization

/// A failure, shared by all promises that have it. If no code has handled it when the last of those
/// promises is released, it is reported. So it is reported once, for all branches together, and
/// only when no code is left that can handle it.
final class UnhandledFailure: Sendable {
  private let error: any Error
  private let runtime: any Runtime
  private let span: Span
  private let isHandled: Atomic<Bool>
  /// The end of the path of the promise that was released first.
  private let end = AtomicLazyReference<End>()

  private final class End: Sendable {
    let trail: FailureTrail
    init(_ trail: FailureTrail) { self.trail = trail }
  }

  init(_ error: any Error, in context: PromiseContext) {
    self.error = error
    runtime = context.runtime
    span = LaneContext.current.span
    isHandled = Atomic((error as? any OptionallyHandledError)?.needsNoHandling == true)
  }

  /// Marks the failure as handled: code that can act on it has received it.
  func markHandled() { isHandled.store(true, ordering: .releasing) }

  /// Called when a promise with this failure is released and has passed it to no other promise.
  func dropped(at place: FailurePlace) {
    if isHandled.load(ordering: .relaxed) || end.load() != nil { return }
    _ = end.storeIfNil(End(FailureTrail(place)))
  }

  deinit {
    guard !isHandled.load(ordering: .acquiring), let trail = end.load()?.trail else { return }
    let error = error
    LateReport.misuse("unhandled-failure", of: span, on: runtime) { Self.report(of: error, trail) }
  }

  private static func report(of error: any Error, _ trail: FailureTrail) -> String {
    var text =
      "the failure “\(error)” was not handled: it began in the promise made at "
      + "\(trail.links.first?.site ?? "an unknown place")"
    if trail.links.count > 1, let last = trail.links.last {
      var between = trail.links.dropFirst().dropLast().map(\.description)
      if trail.leftOut > 0 { between.insert("\(trail.leftOut) more", at: 0) }
      if !between.isEmpty { text += ", passed through \(between.joined(separator: " → "))" }
      text += ", and was lost when the promise made at \(last) was released"
    }
    return text + "; end the chain with catch, recover or whenComplete, or call ignoringFailure()"
  }
}

/// An error that may not need to be handled.
protocol OptionallyHandledError: Error {
  var needsNoHandling: Bool { get }
}

extension ResolverDropped: OptionallyHandledError {
  /// The error has already been reported.
  var needsNoHandling: Bool { true }
}
