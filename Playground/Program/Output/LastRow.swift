import Foundation
import Synchronization

/// The last row of the terminal, while it shows long work. All other output scrolls above it, even the output of a
/// plugin, which does not pass through the console.
enum LastRow {
  /// Its permit orders the changes of the row.
  private static let output = LineOutput(.standardOutput)
  private static let isUsed = Atomic<Bool>(false)
  /// Lets the whole terminal scroll, and clears the last row. A row beyond the last one means the last one.
  private static let release: StaticString = "\u{1B}7\u{1B}[r\u{1B}[999;1H\u{1B}[2K\u{1B}8"

  /// Shows a line in the row. Output continues where it was.
  ///
  /// - Returns: the `errno` of a failure; nil if the line was written.
  static func show(_ line: String) -> Int32? {
    let height = TerminalStyle.windowHeight
    return output.write {
      let wasUsed = isUsed.exchange(true, ordering: .sequentiallyConsistent)
      if !wasUsed { watchStops() }
      // Scrolls if the cursor is in the row itself, since output must not continue there.
      let room = wasUsed ? "" : "\u{1B}D\u{1B}M"
      return room + "\u{1B}7\u{1B}[1;\(height - 1)r\u{1B}[\(height);1H\u{1B}[2K\(line)\u{1B}8"
    }
  }

  /// Removes the line, and lets the whole terminal scroll again. Any thread can call it.
  static func giveBack() {
    guard isUsed.load(ordering: .sequentiallyConsistent) else { return }
    _ = output.write(within: .milliseconds(100)) {
      let wasUsed = isUsed.exchange(false, ordering: .sequentiallyConsistent)
      return wasUsed ? "\(release)" : ""
    }
  }

  /// Gives the row back when Ctrl-Z stops the program: the shell uses the terminal then.
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
    guard isUsed.exchange(false, ordering: .sequentiallyConsistent) else { return }
    _ = write(STDOUT_FILENO, release.utf8Start, release.utf8CodeUnitCount)
  }
}

/// Stops the program, as the signal does by itself, after the row has been given back.
private func stopped(_ number: Int32) {
  LastRow.giveBackInHandler()
  signal(number, SIG_DFL)
  // The signal arrives when this function returns.
  raise(number)
}
