import CReadline
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Records whether readline uses the terminal, and the terminal's earlier settings. All threads can use it, since the
/// program can end on any thread.
///
/// Readline's own function for restoring the terminal must be called on the main thread, and it writes to the terminal.
/// Its caller would be blocked if Ctrl-S had stopped the output.
enum HeldTerminal {
  private static let isHeld = Atomic(false)
  private static let isGivenBack = Atomic(false)
  private static let found = Found()

  /// The settings of the terminal when the program started.
  private struct Found {
    var settings: termios?
    var bracketsPastes = false

    init() {
      var settings = termios()
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      self.settings = settings
      bracketsPastes =
        rl_variable_value("enable-bracketed-paste").map { String(cString: $0) } == "on"
    }
  }

  /// Reads the settings. Must be called after readline is initialized and before it uses the terminal for the first
  /// time.
  static func prepare() { _ = found }

  /// Whether readline must no longer use the terminal, because the program is ending.
  static var isGone: Bool { isGivenBack.load(ordering: .sequentiallyConsistent) }

  /// Must be called before readline takes the terminal.
  ///
  /// - Returns: whether readline may take it.
  static func take() -> Bool {
    if isGone { return false }
    isHeld.store(true, ordering: .sequentiallyConsistent)
    return true
  }

  /// Must be called after readline has taken the terminal.
  static func isTaken() {
    // In the meantime, another thread may have started to end the program.
    if isGone { giveBack() }
  }

  /// Must be called after readline has restored the terminal.
  static func isReleased() { isHeld.store(false, ordering: .sequentiallyConsistent) }

  /// Restores the terminal permanently, because the program is ending. Can be called more than once.
  static func giveBack() {
    isGivenBack.store(true, ordering: .sequentiallyConsistent)
    guard isHeld.load(ordering: .sequentiallyConsistent), var settings = found.settings,
      // Another process group may be in the foreground now; then the terminal belongs to it.
      tcgetpgrp(STDIN_FILENO) == getpgrp()
    else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    guard found.bracketsPastes, poll(&output, 1, 0) > 0 else { return }
    let ends = Array("\u{1B}[?2004l\r".utf8)
    _ = write(STDOUT_FILENO, ends, ends.count)
  }
}
