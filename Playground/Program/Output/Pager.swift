import Foundation

/// The program that shows texts which are longer than the window.
enum Pager {
  /// A shell command that shows its standard input: the user's pager, otherwise `less`, or `cat` if `less` is missing.
  static let command = """
    pager=${PAGER:-$(command -v less >/dev/null && echo less -R || echo cat)}; eval "$pager"
    """

  /// Whether a pager must show a text, because standard output is a terminal and the text is longer than it.
  static func isNeeded(for text: String) -> Bool {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
    return isatty(STDOUT_FILENO) == 1 && ProgramEnvironment.variables["TERM"] != "dumb"
      && lines >= TerminalStyle.windowHeight
  }

  /// Becomes the pager, which shows a text that is shorter than the buffer of a pipe. Returns only if that fails.
  static func replaceProgram(showing text: String) {
    var ends: [Int32] = [-1, -1]
    guard text.utf8.count < 32_768, pipe(&ends) == 0 else { return }
    let writer = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    try? writer.write(contentsOf: Data(text.utf8))
    close(ends[1])
    dup2(ends[0], STDIN_FILENO)
    close(ends[0])
    // The pager must end when its own output ends.
    signal(SIGPIPE, SIG_DFL)
    let words: [String] = ["sh", "-c", command]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    execv("/bin/sh", arguments + [nil])
    for argument in arguments { free(argument) }
  }
}
