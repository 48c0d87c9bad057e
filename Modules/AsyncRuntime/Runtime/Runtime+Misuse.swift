extension Runtime {
  public func misuse(_ rule: String, _ detail: String, of span: Span) {
    if let trace {
      trace.record(.misuse(rule, detail, of: span, at: now))
    } else {
      StandardError.write("\(rule): \(detail)\n")
    }
  }

  /// Reports that something outside any step was used wrongly.
  public func misuse(_ rule: String, _ detail: String) { misuse(rule, detail, of: .none) }
}
