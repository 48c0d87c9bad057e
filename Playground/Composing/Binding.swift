public import PlaygroundLanguage
import Synchronization

/// The meaning of a name: an expression, and the meanings that its own names had when it was bound.
///
/// Patterns and steps are looked up again at each use, so a pattern that was loaded again is found.
public struct Binding: Sendable {
  public let expression: ExpressionSyntax
  public let source: Source
  /// The meanings of the names in the expression. Other names are not stored. Otherwise each of a thousand names would
  /// hold a thousand others.
  let names: Bindings
  /// The list, if the name stands for one, directly or through another name.
  let list: NamedList?
  /// Whether the expression has an error, which has already been reported.
  let isUnusable: Bool
  /// Distinguishes this binding from any other, and says which of two was made first.
  let identity = Identity()

  /// - Complexity: O(length of the expression).
  public init(_ expression: ExpressionSyntax, in source: Source, names: Bindings) {
    self.init(expression, in: source, names: names, isUnusable: false)
  }

  /// The binding of a name whose expression has an error. A use of the name is not reported again, and makes nothing
  /// that can be run.
  public static func unusable(_ expression: ExpressionSyntax, in source: Source) -> Binding {
    Binding(expression, in: source, names: [:], isUnusable: true)
  }

  private init(
    _ expression: ExpressionSyntax, in source: Source, names: Bindings, isUnusable: Bool
  ) {
    self.expression = expression
    self.source = source
    self.isUnusable = isUnusable
    let known = names.isEmpty ? names : names.restricted(to: expression)
    self.names = known
    switch expression {
    case .list(let list):
      self.list = NamedList(syntax: list, source: source, names: known, isUnusable: isUnusable)
    case .call(let call): list = call.plainName.flatMap { known[$0.text]?.list }
    }
  }

  public var isList: Bool { list != nil }

  /// The expression as written, on one line.
  public var text: String { SourcePrinter(source, limit: 400).text(expression) }
}

/// The meanings of names.
public typealias Bindings = [String: Binding]

/// A list that has one or more names.
final class NamedList: Sendable {
  let syntax: ListSyntax
  let source: Source
  let names: Bindings
  let isUnusable: Bool

  init(syntax: ListSyntax, source: Source, names: Bindings, isUnusable: Bool) {
    self.syntax = syntax
    self.source = source
    self.names = names
    self.isUnusable = isUnusable
  }
}

/// An identity, which equals only itself. An identity made later is greater.
final class Identity: Sendable, Comparable {
  private static let count = Atomic<UInt64>(0)
  private let number = count.add(1, ordering: .relaxed).newValue

  static func == (left: Identity, right: Identity) -> Bool { left === right }
  static func < (left: Identity, right: Identity) -> Bool { left.number < right.number }
}

extension Bindings {
  /// The bindings of the names that occur in an expression.
  func restricted(to expression: ExpressionSyntax) -> Bindings {
    var result: Bindings = [:]
    var open = [expression]
    while let expression = open.popLast() {
      switch expression {
      case .list(let list): open += list.steps.map(\.expression)
      case .call(let call):
        result[call.callee.text] = self[call.callee.text]
        switch call.body {
        case .none, .swift: break
        case .name(let name): result[name.text] = self[name.text]
        case .block(let list), .list(let list): open += list.steps.map(\.expression)
        }
      }
    }
    return result
  }
}
