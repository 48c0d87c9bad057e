public import Glibc

/// A program in a terminal of its own, as a user at the keyboard sees it.
///
/// The output of the program is kept twice. The *transcript* is the output without escape sequences; the *screen* is
/// the result of carrying them out. The tests wait for events, never for a fixed time. A deadline only limits how long
/// a failing test takes.
public final class PseudoTerminal: Sendable {
  private let session: TerminalSession
  /// An object that must exist as long as the program runs, such as its temporary folder.
  private let keeping: (any Sendable)?

  /// Starts a program with this terminal as its controlling terminal.
  ///
  /// - Parameters:
  ///   - environment: the whole environment of the program; `TERM` is `xterm` if it is not set here.
  ///   - keeping: released after the program has ended.
  public init(
    executable: String, arguments: [String] = [], environment: [String: String] = [:],
    columns: Int = 100, rows: Int = 40, keeping: (any Sendable)? = nil
  ) throws {
    self.keeping = keeping
    session = try TerminalSession(
      executable: executable, arguments: arguments,
      environment: environment.merging(["TERM": "xterm"]) { given, _ in given },
      columns: columns, rows: rows)
  }

  deinit { session.end() }

  /// The program's process.
  public var processIdentifier: pid_t { session.process }

  /// Types `text` unchanged; a newline in it is the Enter key.
  public func type(_ text: String) {
    session.send(text.replacing("\n", with: "\r"))
  }

  public func press(_ keys: Key...) {
    for key in keys { session.send(key.rawValue) }
  }

  /// Sends `text` the way a terminal does when the user pastes it.
  public func paste(_ text: String) {
    session.send("\u{1B}[200~" + text.replacing("\n", with: "\r") + "\u{1B}[201~")
  }

  public func resize(columns: Int, rows: Int) { session.resize(columns: columns, rows: rows) }

  /// Stops all output to the terminal, as Ctrl-S does, but immediately.
  public func stopOutput() { session.stopOutput() }

  /// Sends a signal to the program.
  public func signal(_ number: Int32) { session.signal(number) }

  /// Waits until the transcript after the last match contains `text`.
  ///
  /// To find a line that is redrawn with cursor movements, use ``expectScreen(_:within:where:)``.
  ///
  /// - Returns: the transcript from the last match to the end of this one.
  /// - Throws: a ``TerminalError`` with the whole transcript if the deadline passes or the program ends first.
  @discardableResult
  public func expect(
    _ text: String, within limit: Duration = .seconds(60)
  ) async throws -> String {
    try await session.wait("“\(text)”", within: limit) { $0.match(text) }
  }

  /// Types `text`, then waits for `output` as ``expect(_:within:)`` does.
  @discardableResult
  public func type(_ text: String, expecting output: String) async throws -> String {
    type(text)
    return try await expect(output)
  }

  /// Presses the keys, then waits for `output` as ``expect(_:within:)`` does.
  @discardableResult
  public func press(_ keys: Key..., expecting output: String) async throws -> String {
    for key in keys { press(key) }
    return try await expect(output)
  }

  /// Waits until the screen satisfies a condition.
  ///
  /// - Returns: the lines of the screen, starting with the first line printed.
  @discardableResult
  public func expectScreen(
    _ what: String, within limit: Duration = .seconds(60),
    where condition: @escaping @Sendable ([String]) -> Bool
  ) async throws -> [String] {
    try await session.wait("a screen with \(what)", within: limit) { output in
      let lines = output.screen.lines
      return condition(lines) ? lines : nil
    }
  }

  /// Waits until the program has ended and all of its output has arrived.
  ///
  /// - Returns: its exit code, or 128 plus the number of the signal that ended it.
  public func waitForExit(within limit: Duration = .seconds(60)) async throws -> Int32 {
    try await session.wait("the program's end", within: limit) { $0.exitCode }
  }

  /// Everything the program has printed, without escape sequences.
  public var transcript: String { session.output.transcript }

  /// Everything the program has printed, unchanged.
  public var raw: String { String(decoding: session.output.raw, as: UTF8.self) }

  /// The lines of the terminal, starting with the first line printed.
  public var screen: [String] { session.output.screen.lines }
}

/// A key, as a terminal sends it.
public enum Key: String, Sendable, CaseIterable {
  case enter = "\r"
  case tab = "\t"
  case escape = "\u{1B}"
  case backspace = "\u{7F}"
  case delete = "\u{1B}[3~"
  case up = "\u{1B}[A"
  case down = "\u{1B}[B"
  case right = "\u{1B}[C"
  case left = "\u{1B}[D"
  case controlA = "\u{1}"
  case controlC = "\u{3}"
  case controlD = "\u{4}"
  case controlE = "\u{5}"
  case controlK = "\u{B}"
  case controlL = "\u{C}"
  case controlR = "\u{12}"
  case controlU = "\u{15}"
  case controlZ = "\u{1A}"
}

/// The awaited output did not come, or there is no terminal.
public struct TerminalError: Error, CustomStringConvertible {
  public var description: String
}
