import CReadline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What one call of readline's line handler brought.
enum Entered: Sendable {
  case line(String)
  case endOfInput
}

/// GNU readline, of which a process has exactly one.
///
/// Its callbacks are plain functions here; they find the prompt through ``shared``, leave their result
/// there and return, so nobody else's code ever runs below readline's stack frames but `complete`.
@MainActor
final class Readline {
  static let shared = Readline()

  /// Set by the line handler, taken by whoever fed it.
  private var entered: Entered?
  /// Asked for completions of the line, which is given up to the cursor and from there on.
  var complete: (_ head: String, _ tail: String) -> CompletionMatches = { _, _ in
    CompletionMatches()
  }
  private var listed: [Completion] = []

  private init() {
    // Without any locale in the environment, text is UTF-8 here all the same.
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
    let named = variables.contains { (name: String) in getenv(name).map { $0[0] != 0 } ?? false }
    setlocale(LC_CTYPE, named ? "" : "C.UTF-8")
    creadline_configure(programName, completeLine, listCompletions)
    // Before the user's inputrc, which may say otherwise: a second Tab lists, not a third.
    rl_variable_bind("show-all-if-unmodified", "on")
    rl_initialize()
    // A pager would keep the main thread from everything else.
    rl_variable_bind("page-completions", "off")
    HeldTerminal.prepare()
    atexit { HeldTerminal.giveBack() }
  }

  /// Shows the prompt and takes the terminal, which has been asked for.
  func install(prompt: String) {
    // The window may have changed while nobody looked.
    rl_reset_screen_size()
    rl_callback_handler_install(prompt, lineEntered)
    HeldTerminal.isTaken()
  }

  /// Gives the terminal back.
  func remove() {
    rl_callback_handler_remove()
    HeldTerminal.letGo()
  }

  /// Reads one character, which must be waiting; yields what it completed.
  func read() -> Entered? {
    rl_callback_read_char()
    defer { entered = nil }
    return entered
  }

  var line: String { String(cString: creadline_line()) }

  fileprivate func lineEnded(_ entered: Entered) {
    // At once: when this returns, readline would show the prompt again.
    remove()
    self.entered = entered
  }

  fileprivate func matches() -> [String] {
    let line = Array(self.line.utf8)
    let point = Int(creadline_point())
    let found = complete(
      String(decoding: line.prefix(point), as: UTF8.self),
      String(decoding: line.dropFirst(point), as: UTF8.self))
    listed = found.candidates
    return found.readlineMatches
  }

  /// What the list shows; the rest of a very long one is only counted.
  fileprivate func listing() -> (shown: [String], left: Int) {
    let shown = listed.prefix(200).map(\.text)
    return (shown, listed.count - shown.count)
  }
}

// Readline keeps the pointer.
nonisolated(unsafe) private let programName: UnsafeMutablePointer<CChar> = strdup("playground")

// MARK: - What readline calls, always on the main thread

private func lineEntered(_ line: UnsafeMutablePointer<CChar>?) {
  let entered = line.map { Entered.line(String(cString: $0)) } ?? .endOfInput
  free(line)
  MainActor.assumeIsolated { Readline.shared.lineEnded(entered) }
}

private func completeLine(
  _ text: UnsafePointer<CChar>?, _ start: Int32, _ end: Int32
) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
  creadline_completion_is_final()
  let matches = MainActor.assumeIsolated { Readline.shared.matches() }
  return matches.isEmpty ? nil : makeArray(matches)
}

private func listCompletions(
  _ matches: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int32, _ width: Int32
) {
  let (shown, left) = MainActor.assumeIsolated { Readline.shared.listing() }
  // Readline's own list, except that its matches are whole lines. The first is what all share.
  let list = makeArray([""] + shown)
  let widest = shown.map(\.utf8.count).max() ?? 0
  rl_display_match_list(list, Int32(shown.count), Int32(widest))
  if left > 0 { fputs("… and \(left) more\n", creadline_output()) }
  for index in 0...shown.count { free(list[index]) }
  free(list)
  rl_forced_update_display()
}

/// A null-terminated array of C strings, each from `malloc`, as readline wants to free them.
private func makeArray(_ strings: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  let size = (strings.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
  let array = malloc(size)!.bindMemory(
    to: UnsafeMutablePointer<CChar>?.self, capacity: strings.count + 1)
  for (index, string) in strings.enumerated() { array[index] = strdup(string) }
  array[strings.count] = nil
  return array
}
