import CReadline
import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A prompt on the terminal, driven by the main run loop. A Dispatch source feeds GNU readline, so the loop keeps
/// running while the user types, and output can appear above the line.
///
/// It reads *blocks*. A block is one line, or several lines if ``needsMore`` asks for another. All closures except
/// ``onSignal`` are called on the main thread. Readline's own functions call only ``complete``. Only one editor can be
/// started at a time, since readline has one state for the whole process.
///
/// The editor runs no loop of its own. The program must call `CFRunLoopRun()`.
@MainActor
public final class LineEditor {
  /// The prompt before the first line of a block. It may contain escape sequences for colours.
  public var prompt: String
  /// The prompt before the other lines of a block.
  public var continuationPrompt: String
  /// Whether the prompts are coloured. A terminal without colours (`TERM=dumb`) shows none.
  public var color: Bool

  /// Called with each complete block, and at the end of input with an unfinished one, without trailing newlines. Blank
  /// blocks are skipped. The next prompt appears when the closure returns, or at ``resume()`` if the closure calls
  /// ``suspend()``.
  public var onBlock: (String) -> Void = { _ in }
  /// Called immediately on Ctrl-C (SIGINT), SIGTERM, SIGHUP and SIGQUIT, on a queue of the editor. It is called even
  /// while the main thread is blocked, and after ``stop()``. It must be set before the editor starts. It should return
  /// quickly, since the next signal is handled after it.
  ///
  /// On Ctrl-C, the closure cancels what is running, and returns whether there was anything to cancel. After
  /// ``stop()``, Ctrl-C calls no other closure. On every other signal, the closure must end the program or cause its
  /// end; see ``giveTerminalBack()`` and ``PromptSignals/endProgram(by:)``.
  public var onSignal: @Sendable (Int32) -> Bool = { number in
    if number != SIGINT { PromptSignals.endProgram(by: number) }
    return false
  }
  /// Called on Ctrl-C after ``onSignal`` has cancelled something, as soon as the main thread is free.
  public var onCancelled: () -> Void = {}
  /// Called on Ctrl-C if there was nothing to cancel, and either no text has been typed or the editor is suspended. If
  /// text has been typed, Ctrl-C only discards the text.
  public var onInterrupt: () -> Void = {}
  /// Called on Ctrl-D on an empty line, and when the terminal is closed, unless there is an unfinished block. The
  /// prompt appears again unless the editor is stopped.
  public var onEndOfInput: () -> Void = {}
  /// Returns whether the text so far is an unfinished block.
  public var needsMore: (String) -> Bool = { _ in false }
  /// Returns the completions for a block up to the cursor. They are listed in the order returned.
  public var complete: (String) -> [WordCompletion] = { _ in [] }
  /// Called at most once, if the history cannot be saved. The default writes to standard error.
  public var onWarning: (String) -> Void = { creadline_warn($0 + "\n") }

  /// The entered blocks of this session and of earlier ones, the oldest first.
  public var entries: [String] { history.entries }

  var history: History
  var signals: PromptSignals?
  private var source: (any DispatchSourceRead)?

  /// The lines of an unfinished block.
  var unfinished: String?
  /// The text that was being typed when the editor was suspended, and the cursor position in it.
  private var setAside: (line: String, point: Int32)?
  private(set) var isStarted = false
  private var isSuspended = false
  /// True while a closure that may print runs. The prompt is hidden during that time.
  private var isCalling = false
  /// Whether the prompt is on the screen and readline uses the terminal.
  private(set) var isPrompting = false

  /// - Parameters:
  ///   - historyFile: the file that stores entries across sessions, see ``defaultHistoryFile(environment:)``; nil keeps
  ///     them for this session only.
  ///   - color: whether the prompts are coloured; pass false if `NO_COLOR` asks for no colours.
  public init(
    prompt: String, continuationPrompt: String, historyFile: String? = nil, color: Bool = true
  ) {
    self.prompt = prompt
    self.continuationPrompt = continuationPrompt
    self.color = color
    history = History(file: historyFile.map { HistoryFile(path: $0, limit: History.limit) })
  }

  /// Whether standard input and standard output are both terminals.
  nonisolated public static var isInteractive: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  /// `$XDG_STATE_HOME/async-playground/history`, or `~/.local/state/async-playground/history` if that variable is not
  /// set. Nil if the environment names neither directory.
  nonisolated public static func defaultHistoryFile(environment: [String: String]) -> String? {
    HistoryFile.defaultPath(environment: environment)
  }

  /// Shows the prompt and starts to read standard input, which must be a terminal. Does nothing if already started. If
  /// the editor is already suspended, Ctrl-C is handled from now on, and the prompt appears at ``resume()``.
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

  /// Removes the prompt and restores the terminal. Signals are still handled until the program ends.
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

  /// Restores the terminal permanently. Can be called on any thread, so that the program can end while the main thread
  /// is busy. From now on, no editor shows a prompt or reads a line.
  nonisolated public static func giveTerminalBack() { HeldTerminal.giveBack() }

  /// Hides the prompt while something runs in the foreground; Ctrl-C then calls ``onInterrupt``. The text being typed
  /// is kept for later. Input typed meanwhile is not read until ``resume()``.
  public func suspend() {
    isSuspended = true
    update()
  }

  /// Shows the prompt again.
  public func resume() {
    isSuspended = false
    update()
  }

  /// Prints `text`, and a newline unless it ends with one. If a line is being typed, the text appears above it.
  public func printAbove(_ text: String) {
    if isPrompting { clearPrompt() }
    fputs(text.hasSuffix("\n") ? text : text + "\n", creadline_output())
    fflush(creadline_output())
    if isPrompting, !HeldTerminal.isGone { redrawPrompt() }
  }

  private func listen() {
    guard signals == nil else { return }
    signals = PromptSignals(respond: onSignal) { [weak self] in
      self?.received(signal: $0, isCancelled: $1)
    }
  }

  // MARK: - Showing and hiding the prompt

  /// Shows or hides the prompt, depending on the editor's state.
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
    // A long paste is read in portions, so that the run loop can handle other events in between.
    for _ in 0..<4096 {
      guard isPrompting else { return }
      // Another thread is ending the program.
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
      // With bracketed paste, readline has already moved to the next line.
      if isDumbTerminal { printAbove("") }
      if let block = unfinished {
        // The receiver of the block reports what is missing.
        finish(block)
      } else {
        call { $0.onEndOfInput() }
      }
    }
  }

  /// Adds to the history a block that was not typed.
  public func remember(_ block: String) {
    if let warning = history.add(block) { onWarning(warning) }
  }

  private func finish(_ text: String) {
    unfinished = nil
    let block = text.withoutTrailingNewlines
    guard !block.isBlank else { return update() }
    if let warning = history.add(block) { onWarning(warning) }
    call { $0.onBlock(block) }
  }

  /// Hides the prompt, calls one of the closures, then shows the prompt again.
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

// Created outside the main actor: a closure of a main-actor type traps when C code calls it on another thread.
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
