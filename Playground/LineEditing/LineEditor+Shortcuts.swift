extension LineEditor {
  /// The keys and their meanings, for a program's help. A user's inputrc can change them.
  nonisolated public static let shortcuts: [(keys: String, meaning: String)] = [
    ("Tab", "complete the word; press again to list the choices"),
    ("Up, Down", "earlier and later entries; a block is one entry"),
    ("Ctrl-R", "search the history backwards"),
    ("Ctrl-C", "discard the typed text, or interrupt a run"),
    ("Ctrl-D", "leave, on an empty line"),
    ("Ctrl-A, Ctrl-E", "to the beginning, to the end of the line"),
    ("Alt-B, Alt-F", "a word back, a word forward"),
    ("Ctrl-W, Ctrl-U, Ctrl-K", "cut the word, cut back to the beginning, cut to the end"),
    ("Ctrl-Y", "put back what was cut"),
    ("Ctrl-_", "undo"),
    ("Ctrl-L", "clear the screen"),
    ("Ctrl-Z", "stop the program; the shell's fg continues it"),
  ]
}
