import ArgumentParser
import AsyncPatterns
import CoreFoundation
import Foundation
import LineEditing
import PlaygroundLanguage
import PluginLoading
import TimingTrace

/// Runs the program, from its arguments to its exit code.
enum Program {
  @MainActor
  static func main(_ arguments: [String]) -> Never {
    // In a child process that probes plugins, this call does not return.
    PluginProbe.main(CommandLine.arguments)
    StandardStreams.occupyClosed()
    // A write to a closed pipe or beyond the size limit of files must return an error, not end the program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    do {
      let command = try PlaygroundCommand.parseAsRoot(arguments)
      let (options, work) = try plan(command)
      try start(options, work)
    } catch {
      fail(error, arguments)
    }
    // The loop ends with the process.
    while true { CFRunLoopRun() }
  }

  /// The work to do in the new session.
  private enum Work {
    case prompt
    case script(@MainActor (Session) async -> Void)
  }

  private static func plan(_ command: any ParsableCommand) throws -> (Options, Work) {
    switch command {
    case let run as PlaygroundCommand.Run:
      return (
        run.options.merged(with: run.parent.options),
        .script { session in
          for file in run.files
          where !session.hasQuit && !session.isStopped && !session.status.wasInterrupted {
            await session.performFile(file)
          }
        }
      )
    case let eval as PlaygroundCommand.Eval:
      return (
        eval.options.merged(with: eval.parent.options),
        .script { await $0.perform(Source(name: "eval", text: eval.script)) }
      )
    case let compare as PlaygroundCommand.Compare:
      return (
        try compare.options.merged(with: compare.parent.options).makingNoRuns(
          "compare", hint: "--report FILE writes both to a page"),
        .script { await $0.compareFiles(compare.baseline, compare.candidate) }
      )
    case let follow as PlaygroundCommand.Trace.Follow:
      let outer = follow.trace.options.merged(with: follow.trace.parent.options)
      return (
        try follow.options.merged(with: outer).makingNoRuns("trace follow"),
        .script { await $0.follow(recordingFor: follow.file) }
      )
    case let action as any TraceAction:
      let (request, file) = try action.order()
      let options = action.allOptions
      return (
        request.action == .import
          ? options
          : try options.makingNoRuns(
            "trace \(request.action.rawValue)",
            hint: "“trace export FILE DESTINATION” exports the runs of a file"),
        .script { await $0.trace(request, readingFrom: file) }
      )
    case let explore as PlaygroundCommand.Explore:
      return (
        try explore.options.merged(with: explore.parent.options).makingNoRuns("explore")
          .ofProgram(),
        .script {
          await $0.explore(program: explore.program, includingChildren: explore.children)
        }
      )
    case let record as PlaygroundCommand.Record:
      let options = record.options.merged(with: record.parent.options)
      guard let file = options.save else {
        throw CommandError(
          "“record” needs a file to save to",
          hint: "playground record --save run.jsonl -- ./program")
      }
      return (
        options,
        .script {
          await $0.record(
            program: record.program, includingChildren: record.children, for: file)
        }
      )
    case let replay as PlaygroundCommand.Replay:
      return (
        replay.options.merged(with: replay.parent.options).ofProgram(),
        .script {
          await $0.replay(
            replay.schedule, program: replay.program, isDebugged: replay.debug)
        }
      )
    case let plugin as PlaygroundCommand.Plugin:
      return (
        try plugin.options.merged(with: plugin.parent.options).makingNoRuns(
          "plugin \(plugin.action)"),
        .script { await $0.plugin(plugin.action, plugin.plugins) }
      )
    case let root as PlaygroundCommand:
      let isPrompt = LineEditor.isInteractive && !root.options.json
      return (root.options, isPrompt ? .prompt : .script { await $0.performFile("-") })
    default:
      // Commands such as `help` print their text and end.
      var command = command
      try command.run()
      exit(0)
    }
  }

  @MainActor
  private static func start(_ options: Options, _ work: Work) throws {
    let isPrompt = if case .prompt = work { true } else { false }
    let settings = try options.settings(
      isInteractive: isPrompt, environment: ProgramEnvironment.variables)
    let session = Session(
      console: Console(isJSON: options.json), settings: settings,
      library: PluginLibrary(
        path: PluginPath(host: .current(), given: options.pluginFolders),
        reserved: Session.reservedNames),
      log: SessionLog(journal: options.save.map { RunJournal(path: FilePath.resolve($0)) }))
    session.optionFiles = options.destinations
    let interrupts = interrupts(of: session, options, isPrompt ? .prompt : .script)
    switch work {
    case .prompt:
      let prompt = Prompt(session: session, interrupts: interrupts)
      prompt.start { end(session, options, interrupts) }
      withExtendedLifetime(prompt) { while true { CFRunLoopRun() } }
    case .script(let body):
      let end: @MainActor () -> Void = { Self.end(session, options, interrupts) }
      listen(interrupts, session.interruption, end: end)
      Task {
        await body(session)
        await session.wait(for: [])
        end()
      }
    }
  }

  @MainActor
  private static func interrupts(
    of session: Session, _ options: Options, _ manner: Interrupts.Manner
  ) -> Interrupts {
    let (interruption, log) = (session.interruption, session.log)
    let programEnd = ProgramEnd(log: log, options: options, output: session.console.output)
    return Interrupts(
      manner, cancelWork: { interruption.raise() },
      reportHolders: {
        MainLane.reportHolders(among: log.underWay, next: "press Ctrl-C again to end the program")
      },
      endAtOnce: {
        LineEditor.giveTerminalBack()
        programEnd.byControlC()
      },
      keep: {
        LineEditor.giveTerminalBack()
        programEnd.before($0 == SIGHUP ? "SIGHUP" : "SIGTERM")
      })
  }

  /// Handles Ctrl-C and the signals that end the program, while a script runs.
  @MainActor
  private static func listen(
    _ interrupts: Interrupts, _ interruption: Interruption, end: @escaping @MainActor () -> Void
  ) {
    let signals = PromptSignals {
      interrupts.press()
    } terminate: {
      if !interruption.passOn($0) { interrupts.terminate(by: $0) }
    } receive: { _, isCancelled in
      if isCancelled { return }
      // Some work may have started since.
      if interrupts.count == 1, interrupts.cancelWork() { return }
      end()
    }
    signals?.handle([SIGINT], evenIfIgnored: true)
    signals?.handle(PromptSignals.ending)
    Self.signals = signals
  }

  /// Keeps the signal handlers alive until the program ends.
  @MainActor private static var signals: PromptSignals?

  @MainActor
  private static func end(
    _ session: Session, _ options: Options, _ interrupts: Interrupts
  ) -> Never {
    // Another thread is ending the program: nothing more must happen here.
    if !interrupts.claimEnd() { while true { pause() } }
    let console = session.console
    // At the prompt, earlier cancellations have already been reported.
    let isInterrupted = !session.isInteractive && interrupts.count > 0
    if isInterrupted { session.status.add(.interrupted) }
    let programEnd = ProgramEnd(log: session.log, options: options, output: console.output)
    programEnd.inOrder(
      hastily: isInterrupted, isInterrupted ? "by Ctrl-C" : "with the program"
    ) {
      console.record($0.record.json)
    } say: {
      switch $0 {
      case .said(let text): console.say(text)
      case .ended(let text): console.complain(text)
      case .wrong(let text):
        console.report(text)
        session.status.add(.wrongInput)
      }
    }
    if let reason = console.lostOutput {
      write("error: cannot write to standard output: \(reason)", to: .standardError)
      session.status.add(.wrongInput)
    }
    // The recorded program has received the signal as well, so its exit code takes precedence.
    let code = session.status.isWellOrInterrupted ? session.programCode : nil
    exit(code ?? session.status.code)
  }

  /// Reports an error in the arguments. Help is not an error.
  private static func fail(_ error: any Error, _ arguments: [String]) -> Never {
    if let error = error as? CommandError {
      write("error: \(error.message)" + (error.hint.map { "\n  \($0)" } ?? ""), to: .standardError)
      exit(2)
    }
    let isHelp = PlaygroundCommand.exitCode(for: error) == .success
    write(
      PlaygroundCommand.fullMessage(for: error), to: isHelp ? .standardOutput : .standardError)
    if !isHelp, let script = arguments.first, FileManager.default.fileExists(atPath: script) {
      write("  To run a script: playground run \(script)", to: .standardError)
    }
    exit(isHelp ? 0 : 2)
  }

  private static func write(_ text: String, to file: FileHandle) {
    try? file.write(contentsOf: Data((text + "\n").utf8))
  }
}
