public import AsyncPatterns
import Foundation
public import SwiftScanning

/// Swift that was typed: blocks, which become steps, and declarations, which later blocks and declarations can use.
///
/// Everything is compiled to shared objects, as plugins are. Code that was compiled before, even in another process, is
/// not compiled again. Cancelling the task that awaits a compilation cancels it.
public final class SnippetLibrary: Sendable {
  private struct State {
    var shelf = DeclarationShelf()
    /// The context of `patterns`.
    var context: SnippetContext?
    var patterns: [SwiftPiece: any AsyncPattern.Type] = [:]
  }

  private let builder: PluginBuilder
  private let state = Locked(State())

  public init(host: PluginHost) { builder = PluginBuilder(host: host) }

  /// The declarations that can be used now, in the order in which they were compiled.
  public var declarations: [SwiftDeclaration] { state.withLock { $0.shelf.declarations } }

  // MARK: - Blocks

  /// The pattern that runs a block. Nil if the block was not compiled, or if blocks were compiled since then with other
  /// plugins or declarations. O(1).
  public func pattern(for block: SwiftPiece) -> (any AsyncPattern.Type)? {
    state.withLock { $0.patterns[block] }
  }

  /// Compiles blocks from one text. Does nothing for blocks that were compiled before.
  ///
  /// - Parameter plugins: the loaded plugins. The blocks can use the declarations of plugins that were loaded from
  ///   sources.
  public func compile(
    _ blocks: [SwiftPiece], using plugins: [LoadedPlugin]
  ) async throws(SnippetError) {
    let entries = state.withLock { $0.shelf.entries }
    let context = SnippetContext(plugins: plugins.compactMap(\.module), entries: entries)
    let new = state.withLock { state in
      if state.context != context {
        state.context = context
        state.patterns = [:]
      }
      return blocks.filter { state.patterns[$0] == nil }
    }
    guard !new.isEmpty else { return }
    let types = try await patterns(of: new, in: context, imports: importTexts(of: entries))
    state.withLock { state in
      guard state.context == context else { return }
      for (block, type) in zip(new, types) { state.patterns[block] = type }
    }
  }

  private func patterns(
    of blocks: [SwiftPiece], in context: SnippetContext, imports: [[UInt8]]
  ) async throws(SnippetError) -> [any AsyncPattern.Type] {
    let source = context.source(of: blocks)
    let name = "swift"
    let module = try await compile(
      [source, context.entryPoint(forBlocks: blocks.count, named: name)], in: context,
      imports: imports, linking: [])
    do throws(PluginError) {
      return try PluginImage.open(
        builder.object(of: module), entryPoint: EntryPoint.prefix + name, what: "this Swift"
      ).patterns
    } catch {
      throw .other(error)
    }
  }

  // MARK: - Declarations

  /// Reports what happened to declarations.
  public struct Report: Sendable {
    /// The new declarations that replace others.
    public var replacing: [SwiftDeclaration] = []
    /// The earlier declarations that were compiled again because of the replaced ones.
    public var compiledAgain: [SwiftDeclaration] = []
    /// The earlier declarations that no longer compile because of the new ones. They are removed.
    public var removed: [SwiftDeclaration] = []
    /// Why they do not compile.
    public var messages: [CompilerMessage] = []
  }

  /// Compiles declarations, and keeps them for later code. They can use each other, and earlier declarations.
  ///
  /// A declaration replaces an earlier one of the same name. Code that uses the earlier one is compiled again with the
  /// new one, or removed if it no longer compiles. If any of the new declarations has an error, nothing changes.
  public func declare(
    _ pieces: [SwiftPiece], using plugins: [LoadedPlugin]
  ) async throws(SnippetError) -> Report {
    let entries = state.withLock { $0.shelf.entries }
    let known = Set(entries.map(\.declaration).filter { $0.kind == "import" }.map(\.title))
    var new: [SwiftDeclaration] = []
    for declaration in pieces.map({ SwiftDeclaration($0) })
    where declaration.kind != "import" || !known.contains(declaration.title) {
      new.removeAll { declaration.replaces($0) }
      new.append(declaration)
    }
    guard !new.isEmpty else { return Report() }
    var change = state.withLock { $0.shelf.change(adding: new) }
    var report = Report(
      replacing: new.filter { new in change.replaced.contains { new.replaces($0) } })
    let modules = plugins.compactMap(\.module)
    while true {
      do {
        let module = try await compile(
          change.dependent + new, beside: change.kept, plugins: modules)
        report.compiledAgain = change.dependent
        state.withLock { [change] in $0.shelf.apply(change, compiledTo: module) }
        return report
      } catch {
        guard !change.dependent.isEmpty, case .code(let messages) = error else { throw error }
        let broken = try await indicesOfErrors(
          in: change.dependent, with: new, beside: change.kept, plugins: modules)
        report.removed += broken.map { change.dependent[$0] }
        change.dependent = change.dependent.indices.filter { !broken.contains($0) }
          .map { change.dependent[$0] }
        report.messages += messages
      }
    }
  }

  /// Finds out which dependent declarations have errors, by compiling all declarations again.
  ///
  /// - Returns: the indices of the dependent declarations that have errors. If none has, all indices, since a new
  ///   declaration may then be wrong only in combination with them.
  private func indicesOfErrors(
    in dependent: [SwiftDeclaration], with new: [SwiftDeclaration],
    beside kept: [DeclarationShelf.Entry], plugins: [String]
  ) async throws(SnippetError) -> [Int] {
    // Several declarations may have been typed at the same place of the prompt.
    let named = dependent.enumerated().map { index, declaration in
      var piece = declaration.piece
      piece.file = "dependent \(index)"
      return SwiftDeclaration(piece)
    }
    do {
      _ = try await compile(named + new, beside: kept, plugins: plugins)
    } catch {
      guard case .code(let messages) = error else { throw error }
      let files = Set(messages.map(\.file))
      let broken = named.indices.filter { files.contains(named[$0].piece.file) }
      if !broken.isEmpty { return broken }
    }
    return Array(named.indices)
  }

  private func compile(
    _ declarations: [SwiftDeclaration], beside kept: [DeclarationShelf.Entry], plugins: [String]
  ) async throws(SnippetError) -> String {
    let context = SnippetContext(plugins: plugins, entries: kept)
    let new = declarations.filter { $0.kind == "import" }.map { Array($0.piece.code.utf8) }
    let module = try await compile(
      [context.source(of: declarations)], in: context, imports: importTexts(of: kept) + new,
      linking: new)
    // Opens the object now, so that a missing symbol is an error here and not only when it is used.
    let object = builder.object(of: module)
    guard let image = dlopen(object, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw .other(PluginImage.notLoadable("this Swift", String(cString: dlerror())))
    }
    LoadedImages.note(image, path: object)
    return module
  }

  // MARK: - Compiling

  /// Compiles source texts to a module. Its name contains a hash of everything that goes into it.
  ///
  /// - Parameters:
  ///   - imports: the imports of the texts.
  ///   - linked: the imports among them whose modules are linked in, if the program lacks them. The others have been
  ///     linked into an earlier module.
  /// - Returns: the name of the module.
  private func compile(
    _ texts: [String], in context: SnippetContext, imports: [[UInt8]], linking linked: [[UInt8]]
  ) async throws(SnippetError) -> String {
    do throws(PluginError) {
      let compiler = try SwiftCompiler.find()
      var hash = ContentHash()
      for part in texts + [compiler.identity, builder.host.identity] + builder.sanitizerFlags {
        hash.combine(part)
      }
      let module = "Swift_" + hash.text.prefix(12)
      if builder.isKept(module) { return module }
      try builder.requireModules()
      let scratch = builder.cache.scratch()
      defer { LoaderRemains.removeFolder(scratch) }
      var sources: [String] = []
      for (index, text) in texts.enumerated() {
        sources.append("\(scratch)/source-\(index).swift")
        guard FileManager.default.createFile(atPath: sources[index], contents: Data(text.utf8))
        else {
          throw .unwritable(sources[index])
        }
      }
      if let missing = context.modules.first(where: { !builder.isKept($0) }) {
        throw PluginError(
          .unreadable,
          "The compiled module \(missing) of an earlier declaration or a loaded file is no longer in the cache. "
            + "Declare it again, or load the file again.")
      }
      _ = try await builder.compile(
        module, of: sources,
        flags: ["-I", builder.interfaces, "-suppress-warnings"]
          + ["-diagnostic-style=llvm"]
          + builder.interfaceFlags(
            builder.host.folder, for: builder.importedModules(imports)),
        linking: context.modules.map { builder.object(of: $0) }
          + builder.objects(of: builder.importedModules(linked)),
        with: compiler, in: scratch
      ) { output in
        output.contains("Stack dump:")
          ? PluginError(
            .compileFailed,
            "The Swift compiler crashed on this code, which is a fault of the compiler. Write the "
              + "code in another way: for example, declare a type outside of the block."
          )
          : PluginError(.compileFailed, "This Swift does not compile.", output: output)
      }
      _ = try builder.keep(module, from: scratch)
      return module
    } catch {
      let messages = CompilerMessage.errors(in: error.output)
      throw error.kind == .compileFailed && !messages.isEmpty ? .code(messages) : .other(error)
    }
  }

  private func importTexts(of entries: [DeclarationShelf.Entry]) -> [[UInt8]] {
    entries.map(\.declaration).filter { $0.kind == "import" }.map { Array($0.piece.code.utf8) }
  }

  // MARK: - Warming up

  /// Compiles a block that does nothing, unless that was done before. The compiler's cache then contains the modules
  /// that every block needs.
  public func warmUp() async {
    _ = try? await patterns(
      of: [SwiftPiece(file: "prompt", line: 1, column: 1, code: "")],
      in: SnippetContext(plugins: [], entries: []), imports: [])
  }
}
