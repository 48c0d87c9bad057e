import AgentMessages
import Foundation
import PluginLoading
import SystemSteps

#if canImport(Glibc)
  import Glibc
#endif

/// A program that the playground can load its agent into.
struct ProgramFile {
  let path: String
  let arguments: [String]
  /// Whether the agent is a part of the program. It then need not be loaded.
  private(set) var hasAgent = false

  /// - Parameter words: the name of the program, and its arguments.
  /// - Throws: a `CommandError` with the reason why the agent cannot be loaded into the program.
  init(_ words: [String], for command: String) throws(CommandError) {
    guard let name = words.first else {
      throw CommandError(
        "“\(command)” needs a program",
        hint: "write it after --: playground \(command) -- ./program")
    }
    guard let path = Self.find(name) else {
      throw CommandError(
        "there is no program “\(name)”",
        hint: name.contains("/") ? "build it first" : "write ./\(name) for one in this folder")
    }
    self.path = path
    let isSwift = FilePath.name(of: name) == "swift"
    // Otherwise each test of XCTest would have a process of its own.
    arguments = isSwift ? words.dropFirst().withoutParallelProcesses : Array(words.dropFirst())
    if isSwift { try checkSwift() } else { try check(name) }
  }

  /// The program that is recorded in a folder, and its environment variables. Nil if its process has ended, or now runs
  /// another program.
  static func recorded(
    in folder: AgentFolder
  ) -> (program: ProgramFile, environment: [String: String])? {
    guard let process = folder.process else { return nil }
    func words(_ name: String) -> [String] {
      let bytes = FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data()
      return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
    }
    var environment: [String: String] = [:]
    for word in words("environ") {
      guard let equals = word.firstIndex(of: "=") else { continue }
      environment[String(word[..<equals])] = String(word[word.index(after: equals)...])
    }
    let link = "/proc/\(process)/exe"
    guard environment[AgentFolder.variable] == folder.path,
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
    else { return nil }
    // If the program was built again since, its file is no longer at that path.
    let isThere = FileManager.default.fileExists(atPath: path)
    return (
      ProgramFile(isThere ? path : link, arguments: Array(words("cmdline").dropFirst())),
      environment
    )
  }

  /// The program of a process that a recorded program has started. Nil if it is not a Swift program.
  ///
  /// - Parameter folder: the folder of the process.
  init?(ofChild folder: AgentFolder) {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: folder.program),
      case .swift(_, let hasAgent) = ProgramImage(path)
    else { return nil }
    (self.path, arguments, self.hasAgent) = (path, [], hasAgent)
  }

  private init(_ path: String, arguments: [String]) {
    self.path = path
    self.arguments = arguments
    if case .swift(_, hasAgent: true) = ProgramImage(path) { hasAgent = true }
  }

  /// The path of a program, as a shell would find it.
  static func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, F_OK) == 0 ? FilePath.resolve(name) : nil }
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 && !FilePath.isFolder($0) }
  }

  private func checkSwift() throws(CommandError) {
    guard arguments.first == "test" else {
      throw CommandError(
        "“swift \(arguments.first ?? "")” is the package manager, not a program of yours",
        hint: "name the built program, such as .build/debug/NAME, or use swift test --skip-build")
    }
  }

  private mutating func check(_ name: String) throws(CommandError) {
    if FilePath.isFolder(path) {
      throw CommandError("“\(name)” is a folder, not a program", hint: "name a program in it")
    }
    guard access(path, X_OK) == 0 else {
      throw CommandError(
        "“\(name)” is not a program: it is not executable",
        hint: "name the built program, or make it executable: chmod +x \(name)")
    }
    var information = stat()
    if stat(path, &information) == 0, information.st_mode & (S_ISUID | S_ISGID) != 0 {
      throw CommandError(
        "“\(name)” runs as another user (set-uid), so the system loads nothing into it",
        hint: "explore a copy of it: cp \(name) /tmp")
    }
    switch ProgramImage(path) {
    case .script:
      throw CommandError(
        "“\(name)” is a script", hint: "name the program that it starts")
    case .other:
      throw CommandError(
        "“\(name)” is not a program for Linux (ELF, 64 bits)",
        hint: "name a program that was built on Linux")
    case .machine(let machine):
      throw CommandError(
        "“\(name)” is for another kind of machine (\(machine))", hint: "build it on this machine")
    case .notSwift:
      throw CommandError(
        "“\(name)” is not a Swift program", hint: "name a program that was built from Swift")
    case .swift(isStatic: true, hasAgent: false):
      throw CommandError(
        "“\(name)” is statically linked with Swift’s libraries, so nothing can be loaded into it",
        hint: "build it without --static-swift-stdlib, or let it depend on the product LinkedAgent")
    case .swift(_, let hasAgent): self.hasAgent = hasAgent
    }
  }
}
