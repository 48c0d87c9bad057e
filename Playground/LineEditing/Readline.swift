import CReadline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The result of one call of readline's line handler.
enum Entered: Sendable {
  case line(String)
  case endOfInput
}

/// GNU readline, of which a process has exactly one instance.
///
/// Its callbacks are plain functions here. They find this object through ``shared``, store their result there and
/// return. Therefore, `complete` is the only code of the caller that runs while readline's functions are on the stack.
@MainActor
final class Readline {
  static let shared = Readline()

  /// Set by the line handler, and taken by `read()`.
  private var entered: Entered?
  /// Returns the completions for the line, given as the text before the cursor and the text after it.
  var complete: (_ head: String, _ tail: String) -> CompletionMatches = { _, _ in
    CompletionMatches()
  }
  private var listed: [WordCompletion] = []

  private init() {
    // If the environment names no locale, text is still UTF-8.
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
    let named = variables.contains { (name: String) in getenv(name).map { $0[0] != 0 } ?? false }
    setlocale(LC_CTYPE, named ? "" : "C.UTF-8")
    creadline_configure(programName, completeLine, listCompletions)
    // This variable is set before the user's inputrc is read, so that the inputrc can change it. The second Tab lists
    // the completions; by default, readline lists them at the third.
    rl_variable_bind("show-all-if-unmodified", "on")
    rl_initialize()
    // A pager would block the main thread.
    rl_variable_bind("page-completions", "off")
    HeldTerminal.prepare()
    atexit { HeldTerminal.giveBack() }
  }

  /// Shows the prompt and takes the terminal. ``HeldTerminal/take()`` must have returned true before.
  func install(prompt: String) {
    // The size of the window may have changed in the meantime.
    rl_reset_screen_size()
    creadline_install(prompt, lineEntered)
    HeldTerminal.isTaken()
  }

  /// Restores the terminal.
  func remove() {
    rl_callback_handler_remove()
    HeldTerminal.isReleased()
  }

  /// Reads one character, which must be available. Returns the line or the end of input that the character completes,
  /// if any.
  func read() -> Entered? {
    rl_callback_read_char()
    defer { entered = nil }
    return entered
  }

  var line: String { String(cString: creadline_line()) }

  fileprivate func lineEnded(_ entered: Entered) {
    // The removal must happen here: otherwise, readline would show the prompt again when this function returns.
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

  /// The completions to list, at most 200, and the number of the others.
  fileprivate func listing() -> (shown: [String], left: Int) {
    let shown = listed.prefix(200).map(\.text)
    return (shown, listed.count - shown.count)
  }
}

// Readline keeps this pointer.
nonisolated(unsafe) private let programName: UnsafeMutablePointer<CChar> = strdup("playground")

// MARK: - Callbacks from readline, always on the main thread

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
  // Unlike readline's own list, this one does not repeat the text before the word. The first element of a list is
  // usually the common prefix. Readline does not show that element, so it is empty here.
  let list = makeArray([""] + shown)
  let widest = shown.map(\.utf8.count).max() ?? 0
  rl_display_match_list(list, Int32(shown.count), Int32(widest))
  if left > 0 { fputs("… and \(left) more\n", creadline_output()) }
  for index in 0...shown.count { free(list[index]) }
  free(list)
  rl_forced_update_display()
}

/// A null-terminated array of C strings. Each string is allocated with `malloc`, because readline frees it.
private func makeArray(_ strings: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  let size = (strings.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
  let array = malloc(size)!.bindMemory(
    to: UnsafeMutablePointer<CChar>?.self, capacity: strings.count + 1)
  for (index, string) in strings.enumerated() { array[index] = strdup(string) }
  array[strings.count] = nil
  return array
}
