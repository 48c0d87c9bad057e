extension Runtime {
  /// Reports that something was used wrongly: to the trace, or to standard error if there is none.
  ///
  /// - Parameters:
  ///   - rule: one of the lint rules, such as `completed-twice`.
  ///   - detail: what was done, where, and the way out.
  ///   - span: who is to blame; `.none` for what runs outside any step.
  public func misuse(_ rule: String, _ detail: String, of span: Span = .none) {
    if let trace {
      trace.record(.misuse(rule, detail, of: span, at: now))
    } else {
      StandardError.write("\(rule): \(detail)\n")
    }
  }
}
