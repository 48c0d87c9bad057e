import CReadline
import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A prompt on the terminal that lives in the main run loop: GNU readline, fed by a Dispatch source,
/// so the loop turns while somebody types and output may appear above the line.
///
/// It reads *blocks*: a line, or several if ``needsMore`` asks for another. Every closure is called
/// on the main thread but ``callOff`` and ``onTermination``, none but ``complete`` while readline is
/// at work. One editor may be started at a time, since readline has one state for the whole process.
///
/// It deliberately runs no loop of its own: the program calls `CFRunLoopRun()`.
@MainActor
public final class LineEditor {
  /// What stands before a block's first line. Escape sequences for colours may be in it as they are.
  public var prompt: String
  /// What stands before a block's other lines.
  public var continuationPrompt: String
  /// Whether the colours of the prompts are shown; a terminal without any (`TERM=dumb`) shows none.
  public var color: Bool

  /// Called with each complete block, without its last newline and never with a blank one. The
  /// next prompt appears when it returns; or, if it calls ``suspend()``, at ``resume()``.
  public var onBlock: (String) -> Void = { _ in }
  /// Called at once on Ctrl-C, on a queue of the editor's, even while something holds the main thread:
  /// calls off what goes on, and says whether there was anything. It should be quick, and is to be set
  /// before the editor starts. After ``stop()`` nothing else is called on Ctrl-C.
  public var callOff: @Sendable () -> Bool = { false }
  /// Called with SIGTERM or SIGHUP, on a queue of the editor's, also after ``stop()``: ends the program, or sees to it that
  /// somebody does, see ``giveTerminalBack()`` and ``PromptSignals/endProgram(by:)``. It should be quick, since the next
  /// signal is heard after it, and is to be set before the editor starts.
  public var onTermination: @Sendable (Int32) -> Void = { PromptSignals.endProgram(by: $0) }
  /// Called on Ctrl-C after ``callOff`` has called something off, as soon as the main thread is free.
  public var onCalledOff: () -> Void = {}
  /// Called on Ctrl-C with nothing typed, and on Ctrl-C while suspended, if there was nothing to call off.
  /// (With something typed, Ctrl-C only forgets it.)
  public var onInterrupt: () -> Void = {}
  /// Called on Ctrl-D on an empty line, and when the terminal is gone. A prompt follows unless the
  /// editor is stopped.
  public var onEndOfInput: () -> Void = {}
  /// Asked whether the text so far is an unfinished block.
  public var needsMore: (String) -> Bool = { _ in false }
  /// Asked for the completions of a block up to the cursor; listed in the order given.
  public var complete: (String) -> [Completion] = { _ in [] }
  /// Called at most once, when the history cannot be kept; by default writes to standard error.
  public var onWarning: (String) -> Void = { creadline_warn($0 + "\n") }

  var history: History
  var signals: PromptSignals?
  private var source: (any DispatchSourceRead)?

  /// The lines of an unfinished block.
  var unfinished: String?
  /// What was being typed when the editor was suspended, and the cursor in it.
  private var setAside: (line: String, point: Int32)?
  private(set) var isStarted = false
  private var isSuspended = false
  /// While a closure that may print runs, no prompt is in its way.
  private var isCalling = false
  /// Whether the prompt is on the screen and readline has the terminal.
  private(set) var isPrompting = false

  /// - Parameters:
  ///   - historyFile: where entries are kept across sessions, see ``defaultHistoryFile(environment:)``;
  ///     nil keeps them for this session alone.
  ///   - color: false for `NO_COLOR`.
  public init(
    prompt: String, continuationPrompt: String, historyFile: String? = nil, color: Bool = true
  ) {
    self.prompt = prompt
    self.continuationPrompt = continuationPrompt
    self.color = color
    history = History(file: historyFile.map { HistoryFile(path: $0, limit: History.limit) })
  }

  /// Whether there is a terminal to type on and to print to.
  nonisolated public static var isInteractive: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  /// `$XDG_STATE_HOME/async-playground/history`, by default
  /// `~/.local/state/async-playground/history`; nil if the environment names neither directory.
  nonisolated public static func defaultHistoryFile(environment: [String: String]) -> String? {
    HistoryFile.defaultPath(environment: environment)
  }

  /// Shows the prompt and begins to read standard input, which must be a terminal. Does nothing if
  /// started. If it is suspended already, Ctrl-C is caught from now on and the prompt waits.
  public func start() {
    guard !isStarted else { return }
    isStarted = true
    Readline.shared.complete = { [weak self] head, tail in
      self?.matches(head: head, tail: tail) ?? CompletionMatches()
    }
    listen()
    source = makeInputSource { [weak self] in self?.readAvailable() }
    if let warning = history.load() { onWarning(warning) }
    update()
  }

  /// Takes the prompt away and restores the terminal. Signals are heard until the program ends.
  public func stop() {
    guard isStarted else { return }
    isStarted = false
    if isPrompting { leaveLine() }
    update()
    // A suspended source must not be released.
    source?.cancel()
    source?.resume()
    source = nil
    unfinished = nil
    setAside = nil
  }

  /// Restores the terminal for good, on any thread, where the program ends while the main thread does something else: no
  /// editor shows a prompt or takes a line from now on.
  nonisolated public static func giveTerminalBack() { HeldTerminal.giveBack() }

  /// Keeps the prompt off the screen while something runs in the foreground; Ctrl-C then calls
  /// ``onInterrupt``. What is being typed is set aside, what is typed meanwhile waits.
  public func suspend() {
    isSuspended = true
    update()
  }

  /// Shows the prompt again.
  public func resume() {
    isSuspended = false
    update()
  }

  /// Prints `text` and a newline: above the line being typed if there is one, else just so.
  public func printAbove(_ text: String) {
    if isPrompting { clearPrompt() }
    fputs(text.hasSuffix("\n") ? text : text + "\n", creadline_output())
    fflush(creadline_output())
    if isPrompting, !HeldTerminal.isGone { redrawPrompt() }
  }

  private func listen() {
    guard signals == nil else { return }
    signals = PromptSignals(callOff: callOff, terminate: onTermination) { [weak self] in
      self?.received(signal: $0, isCalledOff: $1)
    }
    signals?.handle([SIGINT], evenIfIgnored: true)
    signals?.handle(PromptSignals.ending)
  }

  // MARK: - The prompt comes and goes

  /// Brings the screen in line with what the editor is to do.
  private func update() {
    let shouldPrompt = isStarted && !isSuspended && !isCalling
    guard shouldPrompt != isPrompting else { return }
    if shouldPrompt { showPrompt() } else { hidePrompt() }
  }

  private func showPrompt() {
    guard HeldTerminal.take() else { return }
    isPrompting = true
    signals?.handle(promptingSignals)
    fflush(creadline_output())
    let text = unfinished == nil ? prompt : continuationPrompt
    let hasColor = color && !isDumbTerminal
    Readline.shared.install(prompt: readlinePrompt(text, color: hasColor))
    if let (line, point) = setAside {
      setAside = nil
      rl_insert_text(line)
      creadline_set_point(point)
      rl_redisplay()
    }
    source?.resume()
  }

  private func hidePrompt() {
    if creadline_line_length() > 0, isStarted {
      setAside = (Readline.shared.line, creadline_point())
    }
    if isStarted { clearPrompt() }
    Readline.shared.remove()
    promptIsGone()
  }

  private func promptIsGone() {
    isPrompting = false
    source?.suspend()
    signals?.release(promptingSignals)
  }

  // MARK: - Input

  private func readAvailable() {
    // A long paste is taken in portions, between which the run loop turns.
    for _ in 0..<4096 {
      guard isPrompting else { return }
      // Somebody ends the program.
      if HeldTerminal.isGone { return promptIsGone() }
      guard creadline_input_is_waiting() != 0 else { return }
      guard let entered = Readline.shared.read() else { continue }
      promptIsGone()
      take(entered)
    }
  }

  private func take(_ entered: Entered) {
    switch entered {
    case .line(let line):
      let block = unfinished.map { $0 + "\n" + line } ?? line
      if !block.isBlank, needsMore(block) {
        unfinished = block
        update()
      } else {
        finish(block)
      }
    case .endOfInput:
      // With bracketed paste, readline has already left the line.
      if isDumbTerminal { printAbove("") }
      if let block = unfinished {
        // Whoever reads it says what is missing.
        finish(block)
      } else {
        call { $0.onEndOfInput() }
      }
    }
  }

  private func finish(_ text: String) {
    unfinished = nil
    let block = text.withoutTrailingNewlines
    guard !block.isBlank else { return update() }
    if let warning = history.add(block) { onWarning(warning) }
    call { $0.onBlock(block) }
  }

  /// Calls one of the closures with no prompt on the screen, then shows it again.
  func call(_ closure: (LineEditor) -> Void) {
    isCalling = true
    update()
    closure(self)
    isCalling = false
    update()
  }

  private func matches(head: String, tail: String) -> CompletionMatches {
    let before = unfinished.map { $0 + "\n" } ?? ""
    return CompletionMatches(
      complete(before + head), head: head, tail: tail, lineStart: before.utf8.count)
  }
}

// Formed outside the main actor: a closure from a main-actor type that C calls elsewhere traps.
private func makeInputSource(
  _ read: @escaping @MainActor () -> Void
) -> any DispatchSourceRead {
  let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
  source.setEventHandler { MainActor.assumeIsolated { read() } }
  return source
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

  fileprivate var withoutTrailingNewlines: String {
    var rest = self[...]
    while rest.last?.isNewline == true { rest.removeLast() }
    return String(rest)
  }
}
