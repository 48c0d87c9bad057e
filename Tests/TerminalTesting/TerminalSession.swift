import Foundation
import Glibc

/// A running program and its terminal.
///
/// One thread waits for output, for the end of the program and for deadlines, and resumes the callers that wait for
/// them.
final class TerminalSession: Sendable {
  private let program: StartedProgram
  private let master: Int32
  /// The name of the program's side of the terminal.
  private let name: String
  /// A pipe that wakes the thread.
  private let woken: Int32
  private let wakeUp: Int32
  private let state: Protected<State>

  private struct State {
    var output: TerminalOutput
    var waiting: [Waiting] = []
    var typed: [UInt8] = []
    var exitCode: Int32?
    /// No process still has the terminal open.
    var isClosed = false
    var isFinished: Bool { isClosed && exitCode != nil }
  }

  private struct Waiting {
    let deadline: ContinuousClock.Instant
    /// Resumes the waiting caller if `state` contains the awaited output, or if it can no longer come.
    let settle: @Sendable (inout TerminalOutput, _ verdict: Verdict) -> (@Sendable () -> Void)?
  }
  private enum Verdict { case open, late, finished }

  init(
    executable: String, arguments: [String], environment: [String: String], columns: Int, rows: Int
  ) throws {
    let (master, name) = try openPseudoTerminal()
    (self.master, self.name) = (master, name)
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (woken, wakeUp) = (ends[0], ends[1])
    Self.setSize(of: master, columns: columns, rows: rows)
    do {
      program = try StartedProgram(
        executable, arguments: arguments, environment: environment, streams: .terminal(name))
    } catch {
      for descriptor in [master, woken, wakeUp] { close(descriptor) }
      throw error
    }
    state = Protected(State(output: TerminalOutput(columns: columns, rows: rows)))

    // This handler and the thread keep the session alive until the program ends; `end()` ends the program.
    program.whenEnded { [self] exitCode in
      state.withLock { $0.exitCode = exitCode }
      wake()
    }
    Thread.detachNewThread { self.listen() }
  }

  deinit {
    for descriptor in [master, woken, wakeUp] { close(descriptor) }
  }

  var output: TerminalOutput { state.withLock { $0.output } }

  func send(_ text: String) {
    state.withLock { $0.typed += text.utf8 }
    wake()
  }

  var process: pid_t { program.identifier }

  func signal(_ number: Int32) { program.signal(number) }

  func resize(columns: Int, rows: Int) {
    state.withLock { $0.output.resize(columns: columns, rows: rows) }
    Self.setSize(of: master, columns: columns, rows: rows)
  }

  func stopOutput() {
    let device = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(device) }
    tcflow(device, TCOOFF)
  }

  /// Ends the program.
  func end() {
    signal(SIGKILL)
    state.withLock { $0.isClosed = true }
    wake()
  }

  /// Waits until `match` finds its text in the output.
  func wait<Found: Sendable>(
    _ what: String, within limit: Duration,
    match: @escaping @Sendable (inout TerminalOutput) -> Found?
  ) async throws -> Found {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Found, any Error>) in
      let waiting = Waiting(deadline: .now + limit) { output, verdict in
        if let found = match(&output) { return { continuation.resume(returning: found) } }
        guard verdict != .open else { return nil }
        let reason = verdict == .late ? "within \(limit)" : "before the program ended"
        let error = TerminalError(
          description: "\(what) did not come \(reason). Transcript:\n\(output.transcript)")
        return { continuation.resume(throwing: error) }
      }
      // After the program has ended, the thread no longer waits, and the result is already known.
      let settled = state.withLock { state in
        state.waiting.append(waiting)
        return state.isFinished ? settle(&state).settled : []
      }
      for resume in settled { resume() }
      wake()
    }
  }

  // MARK: - Thread

  private func listen() {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let (settled, timeout, writes, isClosed, isFinished) = state.withLock { settle(&$0) }
      for resume in settled { resume() }
      if isFinished { return }

      var polled = [pollfd(fd: woken, events: Int16(POLLIN), revents: 0)]
      if !isClosed {
        polled.append(
          pollfd(fd: master, events: Int16(POLLIN) | (writes ? Int16(POLLOUT) : 0), revents: 0))
      }
      _ = poll(&polled, nfds_t(polled.count), timeout)
      var wakeUps = [UInt8](repeating: 0, count: 64)
      _ = read(woken, &wakeUps, wakeUps.count)
      if !isClosed { transfer(&buffer) }
    }
  }

  /// Reads the available output and writes the typed text, without blocking.
  private func transfer(_ buffer: inout [UInt8]) {
    while true {
      let count = read(master, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      // On Linux, EIO means that the program's side is closed.
      guard count > 0 else {
        state.withLock { $0.isClosed = true }
        return
      }
      state.withLock { $0.output.append(buffer[..<count]) }
    }
    state.withLock { state in
      while !state.typed.isEmpty {
        let count = write(master, state.typed, state.typed.count)
        guard count > 0 else { break }
        state.typed.removeFirst(count)
      }
    }
  }

  private func settle(
    _ state: inout State
  ) -> (
    settled: [@Sendable () -> Void], timeout: Int32, writes: Bool, isClosed: Bool, isFinished: Bool
  ) {
    if state.isFinished { state.output.exitCode = state.exitCode }
    let now = ContinuousClock.now
    var settled: [@Sendable () -> Void] = []
    var waiting: [Waiting] = []
    for one in state.waiting {
      let verdict: Verdict = state.isFinished ? .finished : now >= one.deadline ? .late : .open
      if let resume = one.settle(&state.output, verdict) {
        settled.append(resume)
      } else {
        waiting.append(one)
      }
    }
    state.waiting = waiting
    let next = state.waiting.map(\.deadline).min()
    // Rounded up, so that the deadline has passed when poll returns.
    let timeout = next.map { Int32(clamping: Int64(($0 - now) / .milliseconds(1)) + 1) } ?? -1
    return (settled, timeout, !state.typed.isEmpty, state.isClosed, state.isFinished)
  }

  private func wake() {
    // A full pipe also wakes the thread.
    var byte: UInt8 = 0
    _ = write(wakeUp, &byte, 1)
  }

  private static func setSize(of terminal: Int32, columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}
