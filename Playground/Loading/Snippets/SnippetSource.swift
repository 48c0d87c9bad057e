import SwiftScanning

/// The modules and imports that typed Swift code can use, and the source files that are generated for the code.
struct SnippetContext: Hashable {
  /// The names of the modules whose declarations the code can use, each once.
  var modules: [String]
  /// The imports that were typed, as they were typed.
  var imports: [String]
  /// The imports of single declarations that were typed. Each makes its declaration hide others of the same name.
  var scopedImports: [String]
  /// Whether a declaration that was typed is called `Value`. It then hides the type of the input.
  var declaresValue: Bool

  /// - Parameters:
  ///   - plugins: the modules of plugins that were loaded from sources.
  ///   - entries: the declarations that were typed.
  init(plugins: [String], entries: [DeclarationShelf.Entry]) {
    modules = plugins
    imports = []
    scopedImports = []
    declaresValue = entries.contains { $0.declaration.names.contains("Value") }
    for entry in entries {
      if !modules.contains(entry.module) { modules.append(entry.module) }
      if entry.declaration.kind == "import" {
        imports.append(entry.declaration.piece.code)
      } else if let kind = entry.declaration.importKind {
        scopedImports += entry.declaration.names.map {
          "@testable import \(kind) \(entry.module).\($0)"
        }
      }
    }
  }

  private var head: String {
    (imports + modules.map { "@testable import \($0)" } + scopedImports).map { $0 + "\n" }.joined()
  }

  /// The source of declarations.
  func source(of declarations: [SwiftDeclaration]) -> String {
    head + declarations.map(\.piece.located).joined()
  }

  /// The source of blocks: one function for each block.
  ///
  /// It does not import AsyncPatterns, because typed declarations may have the same names as those of AsyncPatterns.
  func source(of blocks: [SwiftPiece]) -> String {
    head
      + blocks.enumerated().map { index, block in
        """
        func swiftBlock\(index + 1)(_ input: SwiftBlockInput) async throws -> SwiftBlockInput {
        \(block.directive)
          let result = try await { () async throws in
        \(block.located)
          }()
          return swiftBlockValue(result)
        }

        """
      }.joined()
  }

  /// The source of the plugin that has a pattern for each of the blocks.
  func entryPoint(forBlocks count: Int, named name: String) -> String {
    let patterns = (1...count).map { number in
      """
      private struct SwiftBlock\(number): AsyncPattern {
        static let manual = Manual(
          name: "swift", summary: "Runs Swift.", steps: .none, isTest: true)
        init(_ arguments: Arguments) {}
        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) {
          scope.startTask(then: completion) { try await swiftBlock\(number)(input) }
        }
      }

      """
    }
    let types = (1...count).map { "SwiftBlock\($0).self" }.joined(separator: ", ")
    return """
      \(EntryPoint.source(for: "SwiftBlocks", name: name))
      enum SwiftBlocks: Plugin {
        static let name = "\(name)"
        static let summary = "Swift that was typed."
        static let patterns: [any AsyncPattern.Type] = [\(types)]
      }

      typealias SwiftBlockInput = AsyncPatterns.Value
      \(declaresValue ? "" : "typealias Value = SwiftBlockInput")
      func swiftBlockValue<Result>(_ result: Result) -> SwiftBlockInput { SwiftBlockInput(of: result) }

      \(patterns.joined(separator: "\n"))
      """
  }
}

extension SwiftDeclaration {
  /// The keyword for the declaration in an import of this declaration alone. Nil if no such import is possible.
  var importKind: String? {
    if modifiers.contains("private") || modifiers.contains("fileprivate") { return nil }
    return switch kind {
    case "actor": "class"
    case "func" where isOperator: nil
    case "class", "enum", "func", "let", "protocol", "struct", "typealias", "var": kind
    default: nil
    }
  }
}
