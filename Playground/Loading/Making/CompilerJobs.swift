import AsyncPatterns
import Foundation

/// The commands that the compiler's driver runs to make a shared object, with placeholders for what differs. The driver
/// of each compiler is asked once. After that, the commands run without the driver, in half the time.
struct CompilerJobs: Codable, Sendable {
  /// The folder for the driver's temporary files, as it occurs in `commands`. Each use replaces it.
  private var scratch: String
  private var commands: [[String]]

  private static let module = "PlaceholderModule"
  private static var source: String { "/\(module).swift" }
  private static var object: String { "/\(module).so" }

  /// - Parameter lines: what the driver prints for `-###`.
  /// - Returns: nil if the commands are not of the known form.
  init?(_ lines: String, scratch: String) {
    self.scratch = scratch
    commands = lines.split(whereSeparator: \.isNewline).compactMap(Self.words)
    let compiling = commands.filter(Self.isCompiling)
    guard compiling.count == 1, compiling[0].contains(scratch + Self.source),
      commands.last?.contains(scratch + Self.object) == true
    else { return nil }
  }

  /// The commands in order, for one module.
  ///
  /// - Parameters:
  ///   - flags: additional flags of the compiler.
  ///   - objects: what is linked with the compiled code.
  ///   - folder: the new folder for temporary files. The object is put there, named after the module.
  func commands(
    for module: String, of sources: [String], flags: [String], linking objects: [String],
    in folder: String
  ) -> [[String]] {
    commands.enumerated().map { index, command in
      var words = command.flatMap { word in
        word == scratch + Self.source
          ? sources
          : [
            word.replacing(scratch + Self.object, with: "\(folder)/\(module).so")
              .replacing(scratch, with: folder).replacing(Self.module, with: module)
          ]
      }
      if Self.isCompiling(command) { words += flags }
      if index == commands.count - 1 { words += objects }
      return words
    }
  }

  /// The folders that the commands write to.
  func folders(in folder: String) -> Set<String> {
    Set(
      commands.joined().filter { $0.hasPrefix(scratch + "/") }
        .map { Files.folder(of: $0.replacing(scratch, with: folder)) })
  }

  private static func isCompiling(_ command: [String]) -> Bool {
    command.count > 1 && command[1] == "-frontend"
  }

  /// The words of a command that is quoted for a shell.
  static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  // MARK: - Asking the driver

  private static let known = Locked<[String: CompilerJobs]>([:])

  /// The commands of a compiler, which are also kept in the cache.
  ///
  /// - Parameter flags: the flags that all compilations share.
  /// - Returns: nil if the driver's commands are not of the known form.
  static func of(
    _ compiler: SwiftCompiler, flags: [String], cache: PluginCache
  ) async throws(PluginError) -> CompilerJobs? {
    let key = ContentHash.of(([compiler.identity] + flags).joined(separator: "\n"))
    if let jobs = known.withLock({ $0[key] }) { return jobs }
    let file = cache.folder("jobs") + "/" + key
    if Files.isOwn(file), let data = FileManager.default.contents(atPath: file),
      let jobs = try? JSONDecoder().decode(CompilerJobs.self, from: data)
    {
      known.withLock { $0[key] = jobs }
      return jobs
    }
    let scratch = cache.scratch()
    defer { LoaderRemains.removeFolder(scratch) }
    _ = FileManager.default.createFile(atPath: scratch + source, contents: Data())
    let lines = try await compiler.run(
      compiler.path,
      ["-###", "-emit-library", "-o", scratch + object, "-module-name", module] + flags
        + [scratch + source],
      scratch: scratch
    ) {
      PluginError(
        .compileFailed,
        "\(compiler.path) does not say how it compiles. Name a compiler of Swift in $SWIFTC.",
        output: $0)
    }
    guard let jobs = CompilerJobs(lines, scratch: scratch) else { return nil }
    known.withLock { $0[key] = jobs }
    let made = scratch + "/jobs"
    if let data = try? JSONEncoder().encode(jobs),
      FileManager.default.createFile(atPath: made, contents: data)
    {
      _ = Files.place(made, at: file)
    }
    return jobs
  }
}
