import AsyncPatterns
import LineEditing

/// The texts of `help`.
enum HelpText {
  struct Command {
    let name: String
    let usage: String
    let summary: String
    var discussion = ""
    /// Each example runs unchanged once all plugins are loaded.
    var examples: [String] = []
  }

  static let commands: [Command] = [
    Command(
      name: "load", usage: "load [NAME | PATH …]",
      summary: "Loads plugins: by name, from a .swift file, a folder, a package or a .so; or all.",
      discussion: beside),
    Command(name: "unload", usage: "unload NAME …", summary: "Takes a plugin's patterns away."),
    Command(
      name: "reload", usage: "reload [NAME …]",
      summary: "Loads plugins again after an edit; where that fails, the old ones stay."),
    Command(name: "plugins", usage: "plugins", summary: "Lists what is loaded and can be."),
    Command(name: "patterns", usage: "patterns", summary: "Lists patterns and steps."),
    Command(name: "names", usage: "names", summary: "Lists what is bound."),
    Command(name: "help", usage: "help [TOPIC]", summary: "This, or all about one thing."),
    Command(
      name: "run", usage: "run EXPRESSION [&]", summary: "Runs it; the word may be left out."),
    Command(name: "runs", usage: "runs", summary: "Lists the runs so far."),
    Command(
      name: "show", usage: "show [N] [lanes | save FILE]",
      summary:
        "Draws a run again: run N, or the last; or its lanes: what ran on each thread, and how long it was used; "
        + "or saves the picture that it yielded as a PNG file, several as FILE-1, FILE-2 …"),
    Command(
      name: "compare",
      usage: "compare LIST under PATTERN, PATTERN … [runs N]  |  compare runs N, M",
      summary: "Runs a list under several patterns in turn and says which is faster.",
      discussion: comparing),
    explore,
    Command(
      name: "replay", usage: "replay \"SCHEDULE: SCRIPT\"",
      summary: "Runs what an exploration has found again, and tells it event by event.",
      examples: ["replay \"4 workers, cancel at 2: serial { a: sleep 1ms; b: sleep 1ms }\""]),
    Command(
      name: "simulate", usage: "simulate FILE [with STEP * FACTOR, workers = N, seed = N …]",
      summary:
        "Runs what “trace save” saved again on the virtual clock, each step taking what was measured "
        + "of it, and says how changes move the makespan and the critical path."),
    Command(
      name: "expect", usage: "expect QUANTITY OPERATOR VALUE",
      summary:
        "Checks the last run: makespan work blocked concurrency threads outcome value lints, "
        + "order, critical, count, started, finished; after a compare: ratio, verdict; "
        + "after an explore: violations.",
      discussion: """
        “lints” are the findings as they are listed: what a rule finds in page-1 … page-n is one, however many there \
        are. “expect lints == blocked-thread” asks whether that rule found anything, “expect lints == none” whether \
        none did.
        """),
    Command(
      name: "trace",
      usage:
        "trace analyse|lint [FILE]  |  trace why [FILE] STEP  |  trace show [--step STEP | --lanes] [FILE]  |  "
        + "trace show --follow  |  trace save FILE  |  trace export [--format FORMAT] FILE  |  "
        + "trace import FILE",
      summary:
        "Tells where the time of the last run, or of saved ones, went; saves the session's runs, hands the "
        + "last one on, or all of them as a page, or takes over another program's.",
      discussion: """
        “trace analyse” tells where the time went: work, waiting, blocked threads, gaps, lanes, the critical \
        path and why each of its steps did not begin sooner, repeated steps, and the slack of every step: how much \
        later it could have ended, and the run no later. “trace why fetch” tells of one step what it was waiting for. \
        “trace lint” tells what is wrong with a run; “help RULE” explains a rule. “trace show --step job/fetch” \
        draws a step and what is below it, and “--step page” every page-1, page-2 …, which have one row where there \
        are too many; “trace show --lanes” draws what ran on each thread. All take “--run N”, the number, name or \
        pattern of a run, of FILE or of the session. “trace show --follow” draws a run in the background (EXPRESSION &) \
        while it goes on, until it ends or Ctrl-C.
        Formats: chrome (Perfetto, ui.perfetto.dev), speedscope (speedscope.app), otlp (OpenTelemetry), dot \
        (Graphviz), mermaid, csv; for people svg and png, a picture for a slide, and html, a page with all runs \
        and comparisons so far. Without one the file's ending tells it, as .dot does; .json, or none, is chrome.
        “trace import” reads a trace in Chrome's JSON, of this program or another: each process is a run of \
        the session then, to be shown, linted and compared.
        """),
    Command(
      name: "set", usage: "set [NAME [VALUE]]",
      summary:
        "Shows or sets clock, seed, workers, time-limit, color, width, pictures, runs, threshold.",
      discussion: """
        pictures is how a value that is a PNG is drawn: kitty (its graphics protocol, which Ghostty, WezTerm and \
        Konsole know, too), blocks (half blocks in 24-bit colour), colors (in 256), ascii, off, or auto: what the \
        terminal can, told from the environment.
        """),
    Command(name: "jobs", usage: "jobs", summary: "Lists the runs in the background."),
    Command(name: "wait", usage: "wait [N …]", summary: "Waits for background runs."),
    Command(name: "cancel", usage: "cancel [N …]", summary: "Calls background runs off."),
    Command(
      name: "source", usage: "source FILE", summary: "Runs a script here.", discussion: beside),
    Command(name: "quit", usage: "quit", summary: "Leaves; so does Ctrl-D."),
  ]

  private static let beside =
    "A relative path starts in the working folder; what is not there is looked for beside the script that "
    + "names it, wherever the program was started."

  private static var shortcuts: [[String]] {
    LineEditor.shortcuts.map { ["  " + $0.keys, $0.meaning] }
  }

  static func overview(width: Int?) -> String {
    """
    Load patterns, write steps, run them, look at the timing:

      load SerialQueue Promises
      serial { fetch: sleep 20ms; parse: work 5ms }
      job = [ a: sleep 20ms; b: sleep 10ms ]
      compare job under serial, promise

    Commands:

    \(TextTable(columns: ["", ""], rows: commands.map { ["  " + $0.name, $0.summary] }).text(width: width))

    “patterns” lists patterns and steps; “help serial” tells all about one.

    Keys at the prompt (an open { ( or [ goes on on the next line):

    \(TextTable(columns: ["", ""], rows: shortcuts).text(width: width))
    """
  }

  static func text(of command: Command, width: Int?) -> String {
    var sections = [
      Prose.wrap(command.usage, to: width, hanging: 2),
      Prose.wrap("  " + command.summary, to: width),
    ]
    if !command.discussion.isEmpty { sections.append(paragraphs(command.discussion, width)) }
    if !command.examples.isEmpty { sections.append(text(of: command.examples)) }
    return sections.joined(separator: "\n\n")
  }

  private static func paragraphs(_ text: String, _ width: Int?) -> String {
    text.split(separator: "\n").map { Prose.wrap("  " + $0, to: width) }.joined(separator: "\n")
  }

  private static func text(of examples: [String]) -> String {
    let indented = examples.map { example in
      example.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    }
    return "Examples:\n" + indented.joined(separator: "\n\n")
  }

  static func text(of manual: Manual, width: Int?) -> String {
    var sections = [
      Prose.wrap(usage(of: manual), to: width, hanging: 2) + "\n\n"
        + Prose.wrap("  " + manual.summary, to: width)
    ]
    if !manual.discussion.isEmpty {
      sections.append(paragraphs(manual.discussion, width))
    }
    if !manual.parameters.isEmpty {
      sections.append("Arguments:\n" + table(manual.parameters, width))
    }
    if !manual.stepOptions.isEmpty {
      sections.append("Its steps take, behind “with”:\n" + table(manual.stepOptions, width))
    }
    let facts = facts(of: manual)
    if !facts.isEmpty {
      sections.append(facts.map { Prose.wrap("  " + $0, to: width) }.joined(separator: "\n"))
    }
    if !manual.examples.isEmpty { sections.append(text(of: manual.examples)) }
    return sections.joined(separator: "\n\n")
  }

  /// How to write a pattern or a step.
  static func usage(of manual: Manual) -> String {
    let parameters = manual.parameters.map { parameter in
      let text = "\(parameter.name): \(parameter.kind.placeholder)"
      return parameter.isRequired ? text : "[\(text)]"
    }
    let arguments = parameters.isEmpty ? "" : "(\(parameters.joined(separator: ", ")))"
    return manual.name + arguments + (manual.steps == .none ? "" : " { steps }")
  }

  private static func table(_ parameters: [Parameter], _ width: Int?) -> String {
    let rows = parameters.map { parameter in
      [
        "  " + parameter.name, parameter.kind.text,
        parameter.defaultValue.map { "by default \($0)" } ?? (parameter.isRequired ? "needed" : ""),
        parameter.summary + (parameter.clocks == [.live] ? "; on the live clock only" : ""),
      ]
    }
    return TextTable(columns: ["", "", "", ""], rows: rows).text(width: width)
  }

  private static func facts(of manual: Manual) -> [String] {
    var facts: [String] = []
    if manual.steps != .none {
      facts.append(
        manual.flow == .sequence
          ? "Values: each step's value is the next one's input; the last is the result."
          : "Values: each step gets the pattern's input; the result is the list of their values.")
      facts.append("Failures: \(manual.failure.summary)")
    }
    if manual.blocksThread { facts.append("It blocks a thread while its steps run.") }
    if manual.isUnguarded {
      facts.append("It is told of every call of a completion, not only the first.")
    }
    if manual.clocks == [.live] { facts.append("It runs on the live clock only.") }
    if !manual.breaks.isEmpty {
      let laws = manual.breaks.map(\.rawValue).sorted().joined(separator: ", ")
      facts.append("It breaks on purpose: \(laws).")
    }
    return facts
  }
}

extension Parameter.Kind {
  /// The placeholder for a value in a usage line.
  fileprivate var placeholder: String {
    switch self {
    case .bool: "true|false"
    case .integer: "N"
    case .real: "NUMBER"
    case .duration: "DURATION"
    case .string: "\"TEXT\""
    case .word(let words): words.joined(separator: "|")
    case .size: "WIDTHxHEIGHT"
    case .curve: "(X1, Y1, X2, Y2)"
    case .curveOrWord: "CURVE"
    case .value: "VALUE"
    }
  }
}
