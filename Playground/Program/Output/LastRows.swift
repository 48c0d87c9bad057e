import Foundation
import Synchronization

/// The last rows of the terminal, while they show long work. All other output scrolls above them, even the output of a
/// plugin or of another program, which does not pass through the console.
enum LastRows {
  /// Its permit orders the changes of the rows.
  private static let output = LineOutput(.standardOutput)
  /// The number of the first of these rows, counted from 1; 0 while there are none.
  private static let first = Atomic<Int>(0)
  /// Lets the whole terminal scroll, and clears everything below the cursor.
  private static let release: StaticString = "\u{1B}7\u{1B}[r\u{1B}8\u{1B}[J"

  /// Shows a line in each of the last rows. Output continues where it was.
  ///
  /// - Parameter lines: fewer lines than the terminal has rows.
  /// - Returns: the `errno` of a failure; nil if the lines were written.
  static func show(_ lines: [String]) -> Int32? {
    let first = TerminalStyle.windowHeight - lines.count + 1
    return output.write {
      let before = self.first.exchange(first, ordering: .sequentiallyConsistent)
      if before == 0 { watchStops() }
      // Scrolls until the cursor is above these rows, since output must not continue there.
      let scroll = String(repeating: "\u{1B}D", count: lines.count) + "\u{1B}[\(lines.count)A"
      let room = before == first ? "" : "\(release)" + scroll
      let rows = lines.enumerated().map { "\u{1B}[\(first + $0);1H\u{1B}[2K\($1)" }
      return room + "\u{1B}7\u{1B}[1;\(first - 1)r" + rows.joined() + "\u{1B}8"
    }
  }

  /// Removes the lines, and lets the whole terminal scroll again. Any thread can call it.
  static func giveBack() {
    guard first.load(ordering: .sequentiallyConsistent) != 0 else { return }
    _ = output.write(within: .milliseconds(100)) {
      let before = first.exchange(0, ordering: .sequentiallyConsistent)
      return before == 0 ? "" : "\(release)"
    }
  }

  /// Gives the rows back when Ctrl-Z stops the program: the shell uses the terminal then.
  private static func watchStops() {
    var action = sigaction()
    guard sigaction(SIGTSTP, nil, &action) == 0 else { return }
    // A shell without job control lets its programs ignore the signal.
    #if canImport(Glibc)
      if action.__sigaction_handler.sa_handler == nil { signal(SIGTSTP, stopped) }
    #endif
  }

  /// Called in a signal handler, which may neither lock nor allocate.
  fileprivate static func giveBackInHandler() {
    guard first.exchange(0, ordering: .sequentiallyConsistent) != 0 else { return }
    _ = write(STDOUT_FILENO, release.utf8Start, release.utf8CodeUnitCount)
  }
}

/// Stops the program, as the signal does by itself, after the rows have been given back.
private func stopped(_ number: Int32) {
  LastRows.giveBackInHandler()
  signal(number, SIG_DFL)
  // The signal arrives when this function returns.
  raise(number)
}
