import Foundation

/// A program that runs with files for a terminal, so that neither a reader nor a full pipe can hold it up.
public final class Child: Sendable {
  /// How a program ended, and what it said.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// Its exit code, or 128 and the number of the signal that ended it.
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
  ///   - command: the program, which is looked for on the path if it is named without a folder, and its arguments. If
  ///     there is none of that name, the child's exit code is 127.
  ///   - input: what it finds on standard input; nil for an empty device.
  ///   - folder: where it runs; nil for where this process does.
  ///   - environment: all that it gets; nil for what this process has.
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
    // What posix_spawn has for another folder is not visible from Swift.
    program = try StartedProgram(
      "/usr/bin/env", arguments: (folder.map { ["-C", $0] } ?? []) + command,
      environment: environment ?? ProcessInfo.processInfo.environment,
      streams: .files(
        input: source.fileDescriptor, output: output.fileDescriptor, errors: errors.fileDescriptor))
  }

  public func signal(_ number: Int32) { program.signal(number) }

  /// Sends a signal, and waits until one of its threads has been given that: of signals that are pending together, the
  /// one with the lower number comes first.
  public func deliver(_ number: Int32) async {
    program.signal(number)
    while program.hasPending(number) { await Task.yield() }
  }

  /// How it ended, when it has; nobody's thread waits.
  public func outcome() async throws -> Outcome {
    let code = await withCheckedContinuation { continuation in
      program.whenEnded { continuation.resume(returning: $0) }
    }
    return try outcome(code)
  }

  /// The same, for those who may hold a thread until then.
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

  /// A file that has no name any more, and goes when nobody has it open.
  private static func file(holding text: String = "") throws -> FileHandle {
    let path = NSTemporaryDirectory() + "child-\(UUID().uuidString)"
    // Not for other programs that are started meanwhile.
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

  /// What a file holds; read from a place of its own, since children of the child may still write.
  private static func text(of file: FileHandle) throws -> String {
    let again = try FileHandle(
      forReadingFrom: URL(filePath: "/proc/self/fd/\(file.fileDescriptor)"))
    return String(decoding: try again.readToEnd() ?? Data(), as: UTF8.self)
  }
}
