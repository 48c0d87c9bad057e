/// The causality of code that runs later: its span, its cause, and the time at which it became ready.
public struct CodeOrigin: Sendable {
  let causality: Causality
  let ready: Instant

  /// The origin of code outside any span.
  public static let none = CodeOrigin(causality: Causality(), ready: .zero)

  /// The span that the code runs for.
  public var span: Span { causality.span }
}

/// The span that code runs for, and why it runs. A job carries both from where it is scheduled to
/// where it runs.
struct Causality: Equatable, Sendable {
  /// The span whose code runs.
  var span = Span.none
  /// Why the code runs: as its span's own code, or because of an event of another span.
  var cause = Cause.itself

  /// The acting span. This is the span whose event made the code run, or else the code's own span.
  var actor: Span { cause.kind == .itself ? span : cause.span }

  /// The span that counts as the giver of a permit: the span that has just ended, or else the code's own.
  var giver: Span { cause.kind == .end ? cause.span : span }

  /// Whether the code runs because a timer of `span` fired.
  func isByTimer(of span: Span) -> Bool { self.span == span && cause.kind == .timer }

  /// The cause of the code's effects on another span.
  var causeForOthers: Cause { cause.kind == .itself ? Cause(.parent, span) : cause }
}
