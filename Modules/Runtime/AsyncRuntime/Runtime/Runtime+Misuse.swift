extension Runtime {
  /// Reports misuse: to the trace, or to standard error if there is no trace.
  ///
  /// - Parameters:
  ///   - rule: one of the lint rules, such as `completed-twice`.
  ///   - detail: what was done, where, and what to do.
  ///   - span: the step that did it; `.none` for code outside any step.
  public func misuse(_ rule: String, _ detail: String, of span: Span = .none) {
    if let virtual {
      virtual.misuse(rule, detail, of: span)
    } else if let trace {
      trace.record(.misuse(rule, detail, of: span, at: now))
    } else {
      StandardError.write("\(rule): \(detail)\n")
    }
  }
}
