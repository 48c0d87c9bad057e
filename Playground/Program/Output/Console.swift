import Foundation
import PlaygroundLanguage
import TimingTrace

/// Where everything the program has to say goes.
///
/// With `--json`, standard output holds JSON Lines and nothing else; people's text then goes to
/// standard error. At the prompt, text appears above the line that is being typed.
@MainActor
final class Console {
  let isJSON: Bool
  /// Prints above the prompt, while there is one.
  var printAbove: ((String) -> Void)?
  /// Why something written to standard output did not get there; a reader that has gone away is none.
  private(set) var lostOutput: String?
  /// Standard output, or where it goes.
  let output: LineOutput
  private let errors = LineOutput(.standardError)
  /// How many lines stand that are to go.
  private var passingLines = 0
  private let isUnicode = PlainText.isUnicode

  init(isJSON: Bool) {
    self.isJSON = isJSON
    // What plugins print must not come between the records.
    output = LineOutput(isJSON ? StandardStreams.reserveOutput() : .standardOutput)
  }

  /// People's text.
  func say(_ text: String) { say(verbatim: isUnicode ? text : PlainText.plain(text)) }

  /// People's text as it is, whatever the locale.
  func say(verbatim text: String) {
    guard !text.isEmpty else { return }
    showPassing(nil)
    if let printAbove, !isJSON { return printAbove(text) }
    write(text, to: isJSON ? errors : output)
  }

  /// What somebody asked to have on standard output, whoever reads it.
  func print(_ text: String) { write(text, to: output) }

  /// What went wrong, for people.
  func complain(_ text: String) {
    let text = isUnicode ? text : PlainText.plain(text)
    showPassing(nil)
    if let printAbove { return printAbove(text) }
    write(text, to: errors)
  }

  /// Shows text that stands until something else is said, in place of what stood before; nil takes it away.
  /// For a terminal on which nobody types, with lines that are no wider than it.
  func showPassing(_ text: String?) {
    guard text != nil || passingLines > 0 else { return }
    // To the beginning of the first line, and what stands from there on is gone.
    let up = passingLines > 1 ? "\u{1B}[\(passingLines - 1)A" : ""
    let clear = passingLines > 1 ? "\u{1B}[J" : "\u{1B}[K"
    passingLines =
      text.map { $0.split(separator: "\n", omittingEmptySubsequences: false).count } ?? 0
    write(raw: "\r" + up + clear + (text ?? ""), to: output)
  }

  /// Whether text may be shown that goes again.
  var canShowPassing: Bool { !isJSON && isatty(STDOUT_FILENO) == 1 }

  /// A record, for programs: only with `--json`.
  func record(_ json: @autoclosure () -> String) {
    if isJSON { write(json(), to: output) }
  }

  /// A finding in what was written, for both.
  func report(_ diagnostic: Diagnostic) {
    complain(diagnostic.rendered())
    let place = diagnostic.location
    record(
      ErrorRecord(
        message: diagnostic.message, file: diagnostic.source.name, line: place.line,
        column: place.column
      ).json)
  }

  /// Something wrong that stands nowhere in a script, for both.
  func report(_ message: String) {
    complain("error: \(message)")
    record(ErrorRecord(message: message, file: nil, line: nil, column: nil).json)
  }

  private func write(_ text: String, to stream: LineOutput) {
    write(raw: text.hasSuffix("\n") ? text : text + "\n", to: stream)
  }

  private func write(raw text: String, to stream: LineOutput) {
    // A reader that has gone away must not take the program along.
    guard let code = stream.write(text), code != EPIPE, stream === output else { return }
    lostOutput = String(cString: strerror(code))
  }
}
