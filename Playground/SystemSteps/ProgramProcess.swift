import AsyncPatterns
import Subprocess

#if canImport(Glibc)
  import Glibc
#endif

/// A program that runs beside the playground, in the playground's process group.
public struct ProgramProcess: Sendable {
  public enum Streams: Sendable {
    /// Uses the streams of the playground.
    case inherited
    /// The input is empty. All output is appended to this file.
    case file(String)
  }

  /// The way in which the program ended.
  public enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  public var path: String
  public var arguments: [String]
  /// Environment variables in addition to the playground's.
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

  /// Runs the program until it ends.
  ///
  /// - Parameter started: called with the process ID as soon as the program runs.
  /// - Returns: the way in which it ended.
  /// - Throws: a `StepFailure` if the program cannot be started.
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
