/// The span that code runs for which is kept for later, why it runs, and since when it is ready.
public struct CodeOrigin: Sendable {
  let causality: Causality
  let ready: Instant

  /// Of code outside any span.
  public static let none = CodeOrigin(causality: Causality(), ready: .zero)

  /// The span that the code runs for.
  public var span: Span { causality.span }
}

/// The span that code runs for, and why it runs. It travels with a job from where the job is scheduled to where it
/// runs.
struct Causality: Equatable, Sendable {
  /// The span whose code runs.
  var span = Span.none
  /// Why it runs: since the last event of the span, or since something happened to another one.
  var cause = Cause.itself

  /// The span that acts: the one whose end or permit made the code run, or else its own.
  var actor: Span { cause.kind == .itself ? span : cause.span }

  /// The span that gives a permit which the code gives: the one that has just ended, or else its own.
  var giver: Span { cause.kind == .end ? cause.span : span }

  /// Whether it runs because a timer of that span went off.
  func isByTimer(of span: Span) -> Bool { self.span == span && cause.kind == .timer }

  /// The cause of what the code does to another span.
  var causeForOthers: Cause { cause.kind == .itself ? Cause(.parent, span) : cause }
}
