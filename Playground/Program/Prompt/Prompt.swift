import Foundation
import LineEditing
import PlaygroundLanguage

/// The prompt. Each block is a script of its own. Ctrl-C cancels a block that runs.
@MainActor
final class Prompt {
  private let session: Session
  private let editor: LineEditor
  private let completion: PromptCompletion
  private let signals: ProgramSignals
  /// The blocks that were entered while an earlier one still ran.
  private var entered: [String] = []
  private var isBusy = false

  init(session: Session, signals: ProgramSignals) {
    self.session = session
    self.signals = signals
    completion = PromptCompletion(session: session)
    let color = session.settings.color
    editor = LineEditor(
      prompt: color ? "\u{1B}[1;36m>\u{1B}[0m " : "> ", continuationPrompt: ". ",
      historyFile: LineEditor.defaultHistoryFile(environment: ProgramEnvironment.variables),
      color: color)
  }

  /// Runs the user's initial script, then shows the prompt. `onEnd` is called when the user leaves.
  func start(onEnd: @escaping @MainActor () -> Void) {
    session.isInteractive = true
    session.console.printAbove = { [editor] in editor.printAbove($0) }
    session.history = { [editor] in editor.entries }
    session.enter = { [unowned self, editor] block in
      editor.remember(block)
      entered.insert(block, at: 0)
    }
    session.quit = { [editor] in
      editor.stop()
      onEnd()
    }
    editor.needsMore = { Parser.needsMore($0) }
    editor.complete = { [completion] in completion.complete($0) }
    editor.onBlock = { [unowned self] block in perform(block) }
    editor.onSignal = { [signals] in signals.receive($0) }
    editor.onCancelled = { [unowned self] in
      entered = []
      session.console.showPassing(nil)
      // The next output must start on a line of its own, not behind the terminal's ^C.
      editor.printAbove("")
    }
    editor.onInterrupt = { [unowned self] in
      entered = []
      // Something may have started since Ctrl-C was pressed.
      if isBusy, session.interruption.raise() {
        session.console.showPassing(nil)
        editor.printAbove("")
      }
    }
    editor.onEndOfInput = { [unowned self] in session.leave() }
    editor.suspend()
    editor.start()
    session.console.say(
      Prose.wrap(
        "Asynchronous patterns. “help” says what to type, Tab completes, Ctrl-D leaves.",
        to: session.style.textWidth))
    isBusy = true
    // Otherwise the first Swift that is typed would wait for the compiler's modules.
    Task.detached(priority: .background) { [snippets = session.snippets] in
      await snippets.warmUp()
    }
    Task {
      if let path = ProgramEnvironment.initialScript, FileManager.default.fileExists(atPath: path) {
        await session.performFile(path)
      }
      await carryOn()
    }
  }

  private func perform(_ block: String) {
    entered.append(block)
    guard !isBusy else { return }
    isBusy = true
    editor.suspend()
    Task { await carryOn() }
  }

  private func carryOn() async {
    while !entered.isEmpty, !session.hasQuit {
      await session.performBlock(entered.removeFirst())
    }
    isBusy = false
    guard !session.hasQuit else { return }
    editor.resume()
    FreeMemory.release()
  }
}
