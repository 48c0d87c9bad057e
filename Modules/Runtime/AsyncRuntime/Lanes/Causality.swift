/// The causality of code that is kept for later: its span, why it runs, and since when it is ready.
public struct CodeOrigin: Sendable {
  let causality: Causality
  let ready: Instant

  /// The origin of code outside any span.
  public static let none = CodeOrigin(causality: Causality(), ready: .zero)

  /// The span that the code runs for.
  public var span: Span { causality.span }
}

/// The span that code runs for, and why it runs. A job carries it from where it is scheduled to where it runs.
struct Causality: Equatable, Sendable {
  /// The span whose code runs.
  var span = Span.none
  /// Why it runs: as its span's own code, or because something happened to another span.
  var cause = Cause.itself

  /// The span that acts: the span whose end or permit made the code run, or else its own span.
  var actor: Span { cause.kind == .itself ? span : cause.span }

  /// The span that counts as the giver of a permit: the span that has just ended, or else its own span.
  var giver: Span { cause.kind == .end ? cause.span : span }

  /// Whether it runs because a timer of that span fired.
  func isByTimer(of span: Span) -> Bool { self.span == span && cause.kind == .timer }

  /// The cause of the code's effects on another span.
  var causeForOthers: Cause { cause.kind == .itself ? Cause(.parent, span) : cause }
}
