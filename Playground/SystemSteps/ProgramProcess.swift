import AsyncPatterns
import Subprocess

#if canImport(Glibc)
  import Glibc
#endif

/// A program that runs beside the playground, in its process group.
public struct ProgramProcess: Sendable {
  public enum Streams: Sendable {
    /// Those of the playground.
    case inherited
    /// Nothing to read, and all that it writes goes to this file.
    case file(String)
  }

  /// How it ended.
  public enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  public var path: String
  public var arguments: [String]
  /// What its environment has besides the playground’s own.
  public var variables: [String: String]
  public var streams: Streams

  public init(
    _ path: String, _ arguments: [String], adding variables: [String: String], _ streams: Streams
  ) {
    self.path = path
    self.arguments = arguments
    self.variables = variables
    self.streams = streams
  }

  /// Runs it.
  ///
  /// - Parameter started: gets its number once it runs.
  /// - Returns: when it has ended.
  /// - Throws: a `StepFailure` if it cannot be started.
  public func run(started: @escaping @Sendable (Int32) -> Void) async throws -> End {
    do {
      switch streams {
      case .inherited: return try await run(input: 0, output: 1, started)
      case .file(let path):
        let file = FileDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
        defer { close(file) }
        let nothing = FileDescriptor.open("/dev/null", O_RDONLY)
        defer { close(nothing) }
        return try await run(input: nothing, output: file, error: file, started)
      }
    } catch {
      throw StepFailure("“\(path)” could not be started: \(error)")
    }
  }

  private func run(
    input: CInt, output: CInt, error: CInt = 2, _ started: @escaping @Sendable (Int32) -> Void
  ) async throws -> End {
    var environment: [Environment.Key: String?] = [:]
    for (name, value) in variables { environment[Environment.Key(rawValue: name)!] = value }
    let result = try await Subprocess.run(
      .path(.init(path)), arguments: Arguments(arguments),
      environment: .inherit.updating(environment),
      input: .fileDescriptor(.init(rawValue: input), closeAfterSpawningProcess: false),
      output: .fileDescriptor(.init(rawValue: output), closeAfterSpawningProcess: false),
      error: .fileDescriptor(.init(rawValue: error), closeAfterSpawningProcess: false)
    ) { execution in
      started(execution.processIdentifier.value)
    }
    return switch result.terminationStatus {
    case .exited(let code): .exited(code)
    case .signaled(let signal): .signalled(signal)
    }
  }
}
