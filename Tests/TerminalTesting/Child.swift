import Foundation

/// A program whose standard streams are files, so that neither a slow reader nor a full pipe can block it.
public final class Child: Sendable {
  /// How a program ended, and what it printed.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// Its exit code, or 128 plus the number of the signal that ended it.
    public let code: Int32
    public let output: String
    public let errors: String

    public var description: String {
      "exit code \(code)\n--- output\n\(output)\n--- errors\n\(errors)"
    }
  }

  private let program: StartedProgram
  private let output: FileHandle
  private let errors: FileHandle

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments. A name without a folder is searched for on the path. If there is no
  ///     such program, the exit code of the child is 127.
  ///   - input: the text on its standard input; nil for an empty device.
  ///   - folder: its working folder; nil for the one of this process.
  ///   - environment: its whole environment; nil for the one of this process.
  public init(
    _ command: [String], input: String? = nil, in folder: String? = nil,
    environment: [String: String]? = nil
  ) throws {
    let source =
      if let input { try Self.file(holding: input) } else {
        try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
      }
    output = try Self.file()
    errors = try Self.file()
    // Swift does not see the function of posix_spawn that changes the working folder.
    program = try StartedProgram(
      "/usr/bin/env", arguments: (folder.map { ["-C", $0] } ?? []) + command,
      environment: environment ?? ProcessInfo.processInfo.environment,
      streams: .files(
        input: source.fileDescriptor, output: output.fileDescriptor, errors: errors.fileDescriptor))
  }

  public func signal(_ number: Int32) { program.signal(number) }

  /// Sends a signal, and waits until it has been delivered to one of the program's threads. Of several pending signals,
  /// the one with the lowest number is delivered first.
  public func deliver(_ number: Int32) async {
    program.signal(number)
    while program.hasPending(number) { await Task.yield() }
  }

  /// Waits for the end of the program without blocking a thread, and returns how it ended.
  public func outcome() async throws -> Outcome {
    let code = await withCheckedContinuation { continuation in
      program.whenEnded { continuation.resume(returning: $0) }
    }
    return try outcome(code)
  }

  /// The same as ``outcome()``, but blocks the calling thread until the program has ended.
  public func waitForOutcome() throws -> Outcome {
    let code = Protected<Int32>(0)
    let ended = DispatchSemaphore(value: 0)
    program.whenEnded { exitCode in
      code.withLock { $0 = exitCode }
      ended.signal()
    }
    ended.wait()
    return try outcome(code.withLock { $0 })
  }

  private func outcome(_ code: Int32) throws -> Outcome {
    Outcome(code: code, output: try Self.text(of: output), errors: try Self.text(of: errors))
  }

  // MARK: Files

  /// A file without a name. It is deleted when no process has it open.
  private static func file(holding text: String = "") throws -> FileHandle {
    let path = NSTemporaryDirectory() + "child-\(UUID().uuidString)"
    // Programs that are started meanwhile must not inherit it.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SpawnError(description: "\(path): \(String(cString: strerror(errno)))")
    }
    unlink(path)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data(text.utf8))
    try file.seek(toOffset: 0)
    return file
  }

  /// The contents of a file. They are read with an offset of their own, since children of the child may still write.
  private static func text(of file: FileHandle) throws -> String {
    let again = try FileHandle(
      forReadingFrom: URL(filePath: "/proc/self/fd/\(file.fileDescriptor)"))
    return String(decoding: try again.readToEnd() ?? Data(), as: UTF8.self)
  }
}
