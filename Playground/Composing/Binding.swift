public import PlaygroundLanguage
import Synchronization

/// What a name stands for: an expression, with what the names in it stood for when it was bound.
///
/// Patterns and steps are looked up anew at each use, so a pattern that was loaded again is found.
public struct Binding: Sendable {
  public let expression: ExpressionSyntax
  public let source: Source
  /// What the names in the expression stood for; others are not kept, so that a thousand names do not
  /// hold a thousand names each.
  let names: Bindings
  /// The list, if it stands for one; a name that stands for such a name does, too.
  let list: NamedList?
  /// Whether something was wrong with the expression, which has been reported.
  let isUnusable: Bool
  /// Tells this binding from any other, and whether it was made before or after it.
  let identity = Identity()

  /// - Complexity: O(length of the expression).
  public init(_ expression: ExpressionSyntax, in source: Source, names: Bindings) {
    self.init(expression, in: source, names: names, isUnusable: false)
  }

  /// What a name stands for whose expression has something wrong with it: using it is not reported
  /// again, and makes nothing that can be run.
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

  /// What was written, on one line.
  public var text: String { SourcePrinter(source, limit: 400).text(expression) }
}

/// What names stand for.
public typealias Bindings = [String: Binding]

/// A list that has a name, or several.
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

/// Is nothing but itself, and later than those that were made before.
final class Identity: Sendable, Comparable {
  private static let count = Atomic<UInt64>(0)
  private let number = count.add(1, ordering: .relaxed).newValue

  static func == (left: Identity, right: Identity) -> Bool { left === right }
  static func < (left: Identity, right: Identity) -> Bool { left.number < right.number }
}

extension Bindings {
  /// The names among these that an expression mentions.
  func restricted(to expression: ExpressionSyntax) -> Bindings {
    var result: Bindings = [:]
    var open = [expression]
    while let expression = open.popLast() {
      switch expression {
      case .list(let list): open += list.steps.map(\.expression)
      case .call(let call):
        result[call.callee.text] = self[call.callee.text]
        switch call.body {
        case .none: break
        case .name(let name): result[name.text] = self[name.text]
        case .block(let list), .list(let list): open += list.steps.map(\.expression)
        }
      }
    }
    return result
  }
}
