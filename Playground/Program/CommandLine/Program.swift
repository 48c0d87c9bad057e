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
    StandardStreams.printByLines()
    // A write to a closed pipe or beyond the size limit of files must return an error, not end the program.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    do {
      try PlaygroundCommand.checkHelp(arguments)
      let command = try PlaygroundCommand.parseAsRoot(PlaygroundCommand.naming(arguments))
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
          "compare", hint: "--report FILE writes the runs and their comparison to a page"),
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
      var options = try explore.options.merged(with: explore.parent.options)
        .makingNoRuns(
          "explore", hint: "“replay” with the printed schedule makes one", isReported: false
        )
        .ofProgram("explore", using: ["seed", "workers", "runs"])
      let children = options.children
      options.children = false
      return (
        options, .script { await $0.explore(program: explore.program, includingChildren: children) }
      )
    case let record as PlaygroundCommand.Record:
      var options = try record.options.merged(with: record.parent.options)
        .ofProgram("record", using: ["runs"], limit: "none")
      guard let file = options.save else {
        throw CommandError(
          "“record” needs a file to save to",
          hint: "playground record --save run.jsonl -- ./program")
      }
      let request = RecordingRequest(
        program: record.program, file: file, includesChildren: options.children,
        last: try options.last.map { try Duration(option: "last", written: $0) },
        isFollowed: record.follow)
      (options.children, options.last) = (false, nil)
      return (options, .script { await $0.record(request) })
    case let replay as PlaygroundCommand.Replay:
      return (
        try replay.options.merged(with: replay.parent.options).ofProgram("replay"),
        .script {
          await $0.replay(
            replay.schedule, program: replay.program, isDebugged: replay.debug)
        }
      )
    case let plugin as PlaygroundCommand.Plugin:
      return (
        try plugin.options.merged(with: plugin.parent.options).makingNoRuns(
          "plugin \(plugin.action)", isReported: false),
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
    try NeededThreads.check()
    try options.checkTaken()
    for folder in options.pluginFolders {
      var isFolder: ObjCBool = false
      let path = FilePath.resolve(folder)
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
      else { throw CommandError("there is no folder “\(folder)”, which --plugins names") }
    }
    let isPrompt = if case .prompt = work { true } else { false }
    let settings = try options.settings(
      isInteractive: isPrompt, environment: ProgramEnvironment.variables)
    let session = Session(
      console: Console(isJSON: options.json, isSilent: options.isolatedRun), settings: settings,
      library: PluginLibrary(
        path: PluginPath(host: .current(), given: options.pluginFolders),
        reserved: Session.reservedNames),
      log: SessionLog(
        journal: options.save.map { RunJournal(path: FilePath.resolve($0)) },
        keepsAllRuns: options.save != nil || options.report != nil))
    session.optionFiles = options.destinations
    session.isIsolating = options.isolate
    CrashReport(
      log: session.log, interruption: session.interruption, library: session.library,
      records: options.json ? session.console.output : nil
    ).watch()
    let programEnd = ProgramEnd(
      log: session.log, savedFile: options.save, reportFile: options.report,
      writesJSON: options.json, output: session.console.output)
    let signals = ProgramSignals(
      isPrompt: isPrompt, interruption: session.interruption, programEnd: programEnd)
    ProgramExit.watch { programEnd.afterForeignExit() }
    let end: @MainActor () -> Void = { Self.end(session, programEnd, signals) }
    switch work {
    case .prompt:
      let prompt = Prompt(session: session, signals: signals)
      prompt.start(onEnd: end)
      withExtendedLifetime(prompt) { while true { CFRunLoopRun() } }
    case .script(let body):
      let interruption = session.interruption
      handlers = PromptSignals {
        signals.receive($0)
      } receive: { signal, isHandled in
        // Work may have started since `receive` found nothing to cancel, so this tries again.
        if signal == SIGINT, !isHandled, !interruption.raise() { end() }
      }
      Task {
        await body(session)
        await session.wait(for: [])
        session.settlePending()
        end()
      }
    }
  }

  /// Keeps the signal handlers alive until the program ends.
  @MainActor private static var handlers: PromptSignals?

  @MainActor
  private static func end(
    _ session: Session, _ programEnd: ProgramEnd, _ signals: ProgramSignals
  ) -> Never {
    let signal = signals.first
    if let signal, signal != SIGINT { Session.stayOut() }
    let console = session.console
    // At the prompt, earlier cancellations have already been reported.
    let isInterrupted = !session.isInteractive && signal == SIGINT
    if isInterrupted { session.status.add(.interrupted) }
    let isEnded = programEnd.inOrder(
      hastily: isInterrupted, afterError: session.status.hasWrongInput,
      isInterrupted ? "by Ctrl-C" : "with the program"
    ) {
      console.record($0.record.json)
    } say: {
      switch $0 {
      // The standard output belongs to the recorded program.
      case .said(let text):
        if session.programCode == nil { console.say(text) } else { console.complain(text) }
      case .ended(let text): console.complain(text)
      case .wrong(let text):
        console.report(text)
        session.status.add(.wrongInput)
      }
    }
    if !isEnded { Session.stayOut() }
    if let reason = console.lostOutput {
      write("error: cannot write to standard output: \(reason)", to: .standardError)
      session.status.add(.wrongInput)
    }
    CrashReport.awaitHandling()
    if let signal = session.endingSignal { ProgramExit.end(by: signal) }
    // The recorded program has received the signal as well, so its exit code takes precedence.
    let code = session.status.isWellOrInterrupted ? session.programCode : nil
    ProgramExit.end(code ?? session.status.code)
  }

  /// Reports an error in the arguments. Help is not an error.
  private static func fail(_ error: any Error, _ arguments: [String]) -> Never {
    if let error = error as? CommandError {
      write("error: \(error.message)" + (error.hint.map { "\n  \($0)" } ?? ""), to: .standardError)
      record(error.message, arguments)
      exit(2)
    }
    let isHelp = PlaygroundCommand.exitCode(for: error) == .success
    if !isHelp { record(PlaygroundCommand.message(for: error), arguments) }
    let message = PlaygroundCommand.fullMessage(for: error)
    if isHelp, Pager.isNeeded(for: message) {
      Pager.replaceProgram(showing: TerminalText.harmless(message) + "\n")
    }
    write(message, to: isHelp ? .standardOutput : .standardError)
    if !isHelp, let script = arguments.first, FileManager.default.fileExists(atPath: script) {
      write("  To run a script: playground run \(script)", to: .standardError)
    }
    exit(isHelp ? 0 : 2)
  }

  /// Writes the record of an error, with `--json`.
  private static func record(_ message: String, _ arguments: [String]) {
    guard arguments.prefix(while: { $0 != "--" }).contains("--json") else { return }
    let record = ErrorRecord(message: message, file: nil, line: nil, column: nil)
    write(record.json, to: .standardOutput)
  }

  private static func write(_ text: String, to file: FileHandle) {
    let text = isatty(file.fileDescriptor) == 1 ? TerminalText.harmless(text) : text
    try? file.write(contentsOf: Data((text + "\n").utf8))
  }
}
