import Composing
import PlaygroundLanguage
import PluginLoading
import SwiftScanning

extension Checker {
  // MARK: - Blocks

  /// Compiles the Swift in statements, so that they can be composed. Stops before the first statement that changes what
  /// the code can use.
  mutating func compileSwift(of statements: some Sequence<Statement>, in source: Source) async {
    var blocks: [SwiftBlock] = []
    for statement in statements {
      if let expression = statement.composedExpression {
        blocks += bindings.swiftBlocks(in: expression, of: source)
      }
      if statement.changesSwift { break }
    }
    await compile(blocks)
  }

  /// Compiles blocks; those of the same text are compiled together. Shows the compiler's errors where the code was
  /// typed.
  mutating func compile(_ blocks: [SwiftBlock]) async {
    var texts: [(source: Source, blocks: [SwiftBlock])] = []
    for block in blocks {
      if let index = texts.firstIndex(where: { $0.source.bytes == block.source.bytes }) {
        texts[index].blocks.append(block)
      } else {
        texts.append((block.source, [block]))
      }
    }
    let snippets = session.snippets
    let plugins = session.library.plugins
    for (source, blocks) in texts {
      let pieces = blocks.map(\.piece)
      let result = await session.loading("compiling Swift") {
        () async -> Result<Void, SnippetError> in
        do throws(SnippetError) {
          return .success(try await snippets.compile(pieces, using: plugins))
        } catch {
          return .failure(error)
        }
      }
      let code = blocks.map(\.syntax)
      switch result {
      case .success?: break
      case .failure(let error)?: report(error, of: code, in: source)
      case nil: report("compiling was cancelled", at: code[0].range, in: source)
      }
    }
  }

  private mutating func report(_ error: SnippetError, of code: [SwiftSyntax], in source: Source) {
    let start = code[0].range
    switch error {
    case .code(let messages):
      for message in messages {
        let isTyped = message.file == SwiftPiece.name(of: source.name)
        report(
          message.text,
          at: isTyped
            ? source.place(line: message.line, column: message.column, of: code) : start,
          in: source, hint: message.notes.first)
      }
    case .other(let error):
      if !error.output.isEmpty { session.console.complain(error.output) }
      report(error.message, at: start, in: source)
    }
  }

  // MARK: - Declarations

  /// Compiles consecutive declarations, and keeps them for later code.
  mutating func declare(_ declarations: [SwiftSyntax], in source: Source) async {
    let pieces = declarations.map { SwiftPiece($0, in: source) }
    let snippets = session.snippets
    let plugins = session.library.plugins
    let result = await session.loading("compiling Swift") {
      () async -> Result<SnippetLibrary.Report, SnippetError> in
      do throws(SnippetError) {
        return .success(try await snippets.declare(pieces, using: plugins))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let report)?: return announce(pieces.map { SwiftDeclaration($0) }, report)
    case .failure(let error)?: report(error, of: declarations, in: source)
    case nil: report("compiling was cancelled", at: declarations[0].range, in: source)
    }
    lacksCode = true
  }

  /// Reports what happened to declarations. A script knows what it declares, so only removed declarations are reported
  /// there. They are reported immediately, since no action is performed after an error.
  private mutating func announce(
    _ declarations: [SwiftDeclaration], _ report: SnippetLibrary.Report
  ) {
    if !report.removed.isEmpty {
      let names = report.removed.map(\.title).joined(separator: ", ")
      let pronoun = report.removed.count == 1 ? "it" : "them"
      let reason = report.messages.first.map { ": \($0.text)" } ?? ""
      session.console.complain(
        session.console.wrapped(
          "Removed \(names): the new declaration broke \(pronoun)\(reason). Declare \(pronoun) again."
        ))
    }
    guard session.isInteractive else { return }
    let words = declarations.map { declaration in
      (report.replacing.contains(declaration) ? "replaced " : "declared ") + declaration.title
    }
    let again = report.compiledAgain.map(\.title).joined(separator: ", ")
    let line = words.joined(separator: ", ") + (again.isEmpty ? "" : "; compiled again: \(again)")
    actions.append(
      Action { $0.console.say($0.style.wrapped(line)) })
  }
}

extension Statement {
  var declaration: SwiftSyntax? {
    if case .declaration(let syntax) = kind { syntax } else { nil }
  }

  /// Whether the statement changes what later Swift code can use.
  var changesSwift: Bool {
    switch kind {
    case .assignment, .run: return false
    case .declaration: return true
    case .command(let command):
      return switch command.kind {
      case .load, .unload, .reload, .source, .lesson: true
      default: false
      }
    }
  }

  /// The expression that the statement composes.
  fileprivate var composedExpression: ExpressionSyntax? {
    switch kind {
    case .assignment(_, let expression), .run(let expression, _): return expression
    case .declaration: return nil
    case .command(let command):
      return switch command.kind {
      case .run(let expression, _): expression
      case .compare(let comparison): comparison.list
      case .explore(let exploration): exploration.expression
      default: nil
      }
    }
  }
}
