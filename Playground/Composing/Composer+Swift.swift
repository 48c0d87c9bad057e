import AsyncPatterns
public import PlaygroundLanguage
public import SwiftScanning

extension Composer {
  /// The step of `swift { … }`. Nil if its code has an error, which has been reported.
  mutating func swiftStep(_ call: CallSyntax, _ code: SwiftSyntax) -> Step? {
    guard call.arguments.isEmpty, call.literals.isEmpty else {
      report(
        "“\(Parser.swift)” takes no arguments", at: call.range,
        hint: "the code reads its input as “input”")
      return nil
    }
    return vocabulary.swift(SwiftPiece(code, in: source))
  }
}

/// Swift code in braces, and the source that contains it.
public struct SwiftBlock: Sendable {
  public let syntax: SwiftSyntax
  public let source: Source

  public var piece: SwiftPiece { SwiftPiece(syntax, in: source) }
}

extension Bindings {
  /// The Swift code in an expression and in the expressions that its names stand for. Code that is used several times
  /// is listed once.
  ///
  /// - Complexity: O(length of the expressions).
  public func swiftBlocks(in expression: ExpressionSyntax, of source: Source) -> [SwiftBlock] {
    var found: [SwiftBlock] = []
    var seen: Set<SwiftPiece> = []
    var seenBindings: Set<ObjectIdentifier> = []
    var open = [(expression: expression, source: source, names: self)]
    while let (expression, source, names) = open.popLast() {
      switch expression {
      case .list(let list): open += list.steps.reversed().map { ($0.expression, source, names) }
      case .call(let call):
        var used = [call.callee.text]
        switch call.body {
        case .none: break
        case .name(let name): used.append(name.text)
        case .block(let list), .list(let list):
          open += list.steps.reversed().map { ($0.expression, source, names) }
        case .swift(let syntax):
          let block = SwiftBlock(syntax: syntax, source: source)
          if seen.insert(block.piece).inserted { found.append(block) }
        }
        for binding in used.compactMap({ names[$0] })
        where !binding.isUnusable
          && seenBindings.insert(ObjectIdentifier(binding.identity)).inserted
        {
          open.append((binding.expression, binding.source, binding.names))
        }
      }
    }
    return found
  }
}
