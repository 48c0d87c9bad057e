import TimingTrace

extension LintRecord {
  /// The finding as one line. A name in it can contain characters that control the terminal.
  var text: String { TerminalText.printable("\(rule), \(place): \(message)", style: .unicode) }
}
