import Foundation

/// A program that runs to its end as a child process.
public struct Child {
  public var program: String
  public var arguments: [String]
  public var environment: [String: String]

  public init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Runs the program without standard input. Returns the time from its start to its end.
  ///
  /// - Throws: `ChildFailure` if it does not exit successfully.
  public func run() throws -> Duration { try runToEnd().time }

  /// Runs the program without standard input. Returns its output.
  ///
  /// - Throws: `ChildFailure` if it does not exit successfully.
  public func output() throws -> String { try runToEnd().text }

  /// Runs the program without standard input. Returns its time, and the peak of its memory in bytes.
  ///
  /// - Throws: `ChildFailure` if it does not exit successfully.
  public func measured() throws -> (time: Duration, memory: Int) {
    let run = try runToEnd()
    return (run.time, run.memory)
  }

  private func runToEnd() throws -> (time: Duration, memory: Int, text: String) {
    let output = Pipe()
    let nothing = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
    let (reading, writing) = (output.fileHandleForReading, output.fileHandleForWriting)
    let clock = ContinuousClock()
    let start = clock.now
    let process = try spawn(
      program, arguments: arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      streams: .files(
        input: nothing.fileDescriptor, output: writing.fileDescriptor,
        errors: writing.fileDescriptor))
    try writing.close()
    let text = String(decoding: try reading.readToEnd() ?? Data(), as: UTF8.self)
    // All writers of the pipe have ended; only the process itself must still be reaped.
    let time = clock.now - start
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else {
      let signal = status & 0x7F
      throw ChildFailure(
        command: ([program] + arguments).joined(separator: " "),
        end: signal == 0 ? "exit status \(status >> 8 & 0xFF)" : "signal \(signal)", text: text)
    }
    return (time, usage.ru_maxrss * 1024, text)
  }
}

/// The failure of a child process.
public struct ChildFailure: Error, CustomStringConvertible {
  var command: String
  var end: String
  var text: String

  init(command: String, end: String, text: String) {
    (self.command, self.end, self.text) = (command, end, text)
  }

  /// The failure of a child that wrote no number.
  public init(of command: String, text: String) {
    self.init(command: command, end: "no figure in its output", text: text)
  }

  public var description: String { "\(command): \(end)\n\(text)" }
}
