import CReadline
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether readline has the terminal, and what that was like before: on every thread, since the program may end on any.
///
/// Readline's own way of giving it back is for the main thread, and writes to it: on a terminal that Ctrl-S has
/// stopped, whoever does that waits.
enum HeldTerminal {
  private static let isHeld = Atomic(false)
  private static let isGivenBack = Atomic(false)
  private static let found = Found()

  /// What the program found when it began.
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

  /// To be called before readline takes it for the first time, and when it has been initialised.
  static func prepare() { _ = found }

  /// Whether nobody takes it any more, since the program ends.
  static var isGone: Bool { isGivenBack.load(ordering: .sequentiallyConsistent) }

  /// Readline is about to take it.
  ///
  /// - Returns: whether it may.
  static func take() -> Bool {
    if isGone { return false }
    isHeld.store(true, ordering: .sequentiallyConsistent)
    return true
  }

  /// Readline has taken it.
  static func isTaken() {
    // Whoever ends the program may have come in between.
    if isGone { giveBack() }
  }

  /// Readline has let go of it.
  static func letGo() { isHeld.store(false, ordering: .sequentiallyConsistent) }

  /// Restores it, for good: the program ends. May be called again.
  static func giveBack() {
    isGivenBack.store(true, ordering: .sequentiallyConsistent)
    guard isHeld.load(ordering: .sequentiallyConsistent), var settings = found.settings,
      // Somebody else may have it, who is in the foreground now.
      tcgetpgrp(STDIN_FILENO) == getpgrp()
    else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    guard found.bracketsPastes, poll(&output, 1, 0) > 0 else { return }
    let ends = Array("\u{1B}[?2004l\r".utf8)
    _ = write(STDOUT_FILENO, ends, ends.count)
  }
}
