public import PlaygroundLanguage

/// What a name stands for: an expression, with what the names in it stood for when it was bound.
///
/// Patterns and steps are looked up anew at each use, so a pattern that was loaded again is found.
public struct Binding: Sendable {
  public let expression: ExpressionSyntax
  public let source: Source
  let names: Bindings

  public init(_ expression: ExpressionSyntax, in source: Source, names: Bindings) {
    self.expression = expression
    self.source = source
    self.names = names
  }

  /// The list, if it stands for one; a name that stands for such a name does, too.
  var list: (syntax: ListSyntax, binding: Binding)? {
    switch expression {
    case .list(let list): return (list, self)
    case .call(let call):
      guard let name = call.plainName, let binding = names[name.text] else { return nil }
      return binding.list
    }
  }

  public var isList: Bool { list != nil }

  /// What was written, on one line.
  public var text: String { SourcePrinter(source, limit: 400).text(expression) }
}

/// What names stand for.
public typealias Bindings = [String: Binding]
