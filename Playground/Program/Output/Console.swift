import Foundation
import PlaygroundLanguage
import TimingTrace

/// The destination of all output of the program.
///
/// With `--json`, standard output contains JSON Lines and nothing else, and text for people goes to standard error. At
/// the prompt, text appears above the line that is being typed.
@MainActor
final class Console {
  let isJSON: Bool
  /// Prints text above the prompt. Nil without a prompt.
  var printAbove: ((String) -> Void)?
  /// The reason why some output could not be written to standard output. A reader that has closed the pipe does not
  /// count.
  private(set) var lostOutput: String?
  /// Standard output, or the stream that replaces it with `--json`.
  let output: LineOutput
  private let errors = LineOutput(.standardError)
  /// The number of lines on the screen that will be removed.
  private var passingLines = 0
  private let isUnicode = PlainText.isUnicode
  /// Whether only errors and the output of steps are shown.
  private let isSilent: Bool

  init(isJSON: Bool, isSilent: Bool = false) {
    self.isJSON = isJSON
    self.isSilent = isSilent
    // Output of plugins must not come between the records.
    output = LineOutput(isJSON ? StandardStreams.reserveOutput() : .standardOutput)
  }

  /// Prints text for people. A terminal gets its colours, and other control characters in a visible form.
  func say(_ text: String) {
    if isSilent { return }
    let text = isUnicode ? text : PlainText.plain(text)
    say(verbatim: harmless(text, on: isJSON ? errors : output, keepsColors: true))
  }

  /// Prints text that a step has printed: unchanged, but on a terminal without characters that control it.
  func say(printed text: String) {
    say(verbatim: harmless(text, on: isJSON ? errors : output))
  }

  /// Prints text for people unchanged, whatever the locale and whatever it does to a terminal.
  func say(verbatim text: String) {
    guard !text.isEmpty else { return }
    removePassing()
    if let printAbove, !isJSON { return printAbove(text) }
    write(text, to: isJSON ? errors : output)
  }

  /// Prints text that the user asked for on standard output, with `--json` as well.
  func print(_ text: String) { write(harmless(text, on: output), to: output) }

  /// Prints an error or a warning for people.
  func complain(_ text: String) {
    let text = harmless(isUnicode ? text : PlainText.plain(text), on: errors)
    removePassing()
    if let printAbove { return printAbove(text) }
    write(text, to: errors)
  }

  /// Shows text until other output appears, in place of the text that this function showed before. Nil removes the
  /// text. Requires a terminal at which the user is not typing, and lines that are no wider than the terminal.
  func showPassing(_ text: String?) {
    guard text != nil || passingLines > 0 else { return }
    // Moves to the start of the first line and clears everything from there.
    let up = passingLines > 1 ? "\u{1B}[\(passingLines - 1)A" : ""
    let clear = passingLines > 1 ? "\u{1B}[J" : "\u{1B}[K"
    passingLines =
      text.map { $0.split(separator: "\n", omittingEmptySubsequences: false).count } ?? 0
    write(raw: "\r" + up + clear + (text ?? ""), to: output)
  }

  /// Whether text can be shown and removed again.
  var canShowPassing: Bool { !isJSON && isatty(STDOUT_FILENO) == 1 }

  /// Whether the terminal can show the progress of work, in a line that is removed.
  var canShowProgress: Bool {
    !isSilent && canShowPassing && ProgramEnvironment.variables["TERM"] != "dumb"
      && TerminalStyle.windowHeight > 2
  }

  private func removePassing() {
    showPassing(nil)
    LastRows.giveBack()
  }

  /// Prints a record for programs, only with `--json`.
  func record(_ json: @autoclosure () -> String) {
    if isJSON { write(harmless(json(), on: output), to: output) }
  }

  /// The text as it may be written to a stream: without characters that control a terminal if the stream is one.
  private func harmless(
    _ text: String, on stream: LineOutput, keepsColors: Bool = false
  ) -> String {
    let isTerminal = printAbove != nil || isatty(stream.descriptor) == 1
    return isTerminal ? TerminalText.harmless(text, keepsColors: keepsColors) : text
  }

  /// Reports an error in a script, to people and to programs.
  func report(_ diagnostic: Diagnostic) {
    let width = errorWidth
    complain(diagnostic.rendered(width: width) { Prose.wrap($0, to: width, hanging: 2) })
    let place = diagnostic.location
    record(
      ErrorRecord(
        message: diagnostic.message, file: diagnostic.source.name, line: place.line,
        column: place.column
      ).json)
  }

  /// Reports an error without a place in a script, to people and to programs.
  func report(_ message: String) {
    complain(wrapped("error: \(message)"))
    record(ErrorRecord(message: message, file: nil, line: nil, column: nil).json)
  }

  /// A sentence of an error, broken between words at the width of the terminal.
  func wrapped(_ sentence: String) -> String {
    Prose.wrap(sentence, to: errorWidth, hanging: 2)
  }

  /// The columns of the terminal that shows errors. Nil if there is none.
  private var errorWidth: Int? {
    TerminalStyle.width(of: printAbove == nil ? STDERR_FILENO : STDOUT_FILENO)
  }

  private func write(_ text: String, to stream: LineOutput) {
    write(raw: text.hasSuffix("\n") ? text : text + "\n", to: stream)
  }

  private func write(raw text: String, to stream: LineOutput) {
    // A reader that has closed the pipe must not end the program.
    guard let code = stream.write(text), code != EPIPE, stream === output else { return }
    lostOutput = String(cString: strerror(code))
  }
}
