import AsyncRuntime

/// The labels of spans: each is unique, so that it names one span.
struct SpanLabels {
  private var labels: [Span: String] = [:]
  private var uses: [String: Int] = [:]

  subscript(span: Span) -> String? { labels[span] }

  /// Names a span; a number is added to a name that has been used before.
  mutating func add(_ name: String, of span: Span) -> String {
    let label = unique(name)
    labels[span] = label
    return label
  }

  /// The name, with a number if it has been used before.
  mutating func unique(_ name: String) -> String {
    let count = uses[name, default: 0] + 1
    uses[name] = count
    return count == 1 ? name : "\(name) \(count)"
  }
}
