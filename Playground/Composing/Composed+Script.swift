import PlaygroundLanguage

/// The expression that a composition was made from, and the meanings of its names.
final class Writing: Sendable {
  /// The expression, or the call of the pattern that runs `list`.
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

  /// The expression on one line; only Swift code keeps its line ends. A list follows the pattern that runs it.
  var text: String {
    let printer = SourcePrinter(source, keepsLines: true)
    return printer.text(expression) + (list.map { " " + printer.text($0) } ?? "")
  }
}

extension Composed {
  /// The expression as a complete script: the definitions of its names, each before its use, then the expression. It is
  /// on one line; only Swift code keeps its line ends.
  ///
  /// Composing the script with the same vocabulary gives the same steps, labels and paths. A name may have been bound
  /// several times. If several of its meanings are used, each is defined in the script, in the order of the bindings.
  /// As always, a binding keeps the meanings that its own names had when it was made.
  ///
  /// Nil if the script is longer than a line may be (`Source.longestLine`).
  ///
  /// - Complexity: O(n log n) in the number of names, and O(length of the text).
  public var script: String? {
    var text = ""
    for (name, binding) in definitions {
      text +=
        "\(name) = \(SourcePrinter(binding.source, keepsLines: true).text(binding.expression)); "
      if text.utf8.count > Source.longestLine { return nil }
    }
    text += writing.text
    return text.utf8.count > Source.longestLine ? nil : text
  }

  /// All bindings that the expression needs, in the order in which they were made.
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
