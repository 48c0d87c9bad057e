import PlaygroundLanguage

/// What a composition was written as, and what the names in it stood for.
final class Writing: Sendable {
  /// The expression, or the call of a pattern that `list` was handed to.
  let expression: ExpressionSyntax
  let list: ExpressionSyntax?
  let source: Source
  let names: Bindings

  init(
    _ expression: ExpressionSyntax, over list: ExpressionSyntax?, in source: Source, names: Bindings
  ) {
    self.expression = expression
    self.list = list
    self.source = source
    self.names = names.restricted(to: expression).merging(
      list.map { names.restricted(to: $0) } ?? [:]
    ) { first, _ in first }
  }

  /// The expression on one line; a list stands behind the pattern that runs it.
  var text: String {
    let printer = SourcePrinter(source)
    return printer.text(expression) + (list.map { " " + printer.text($0) } ?? "")
  }
}

extension Composed {
  /// The expression as a script that stands by itself, on one line: what its names stood for, each
  /// defined before its use, then the expression.
  ///
  /// Composed again with the same vocabulary it gives the same steps, labels and paths. Where a name
  /// was bound several times and several of its meanings are used, it is defined as often, in the order
  /// in which that was done: as always, a binding keeps what its names stood for at that moment.
  ///
  /// Nil where it is longer than a line may be (`Source.longestLine`).
  ///
  /// - Complexity: O(n log n) in the number of names, and O(length of the text).
  public var script: String? {
    var text = ""
    for (name, binding) in definitions {
      text += "\(name) = \(SourcePrinter(binding.source).text(binding.expression)); "
      if text.utf8.count > Source.longestLine { return nil }
    }
    text += writing.text
    return text.utf8.count > Source.longestLine ? nil : text
  }

  /// Every binding that the expression needs, in the order in which they were made.
  private var definitions: [(name: String, binding: Binding)] {
    var found: [(name: String, binding: Binding)] = []
    var seen: Set<ObjectIdentifier> = []
    var open = Array(writing.names)
    while let (name, binding) = open.popLast() {
      guard seen.insert(ObjectIdentifier(binding.identity)).inserted else { continue }
      found.append((name, binding))
      open += binding.names
    }
    return found.sorted { $0.binding.identity < $1.binding.identity }
  }
}
