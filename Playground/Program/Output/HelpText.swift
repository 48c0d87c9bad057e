import AsyncPatterns
import LineEditing
import TimingTrace

/// The texts of `help`.
enum HelpText {
  struct Command {
    let name: String
    let usage: String
    let summary: String
    var discussion = ""
    /// Each example runs unchanged once all plugins are loaded.
    var examples: [String] = []

    func isNamed(_ word: String) -> Bool {
      name == word || usage.split(separator: " | ").contains { $0 == word }
    }
  }

  static let commands: [Command] = [
    Command(
      name: "load", usage: "load [NAME | PATH …]",
      summary:
        "Loads plugins by name, or from a .swift file, a folder, a package or a .so; or all.",
      discussion: beside),
    Command(name: "unload", usage: "unload NAME …", summary: "Removes a plugin's patterns."),
    Command(
      name: "reload", usage: "reload [NAME …]",
      summary: "Loads plugins again after an edit. If that fails, the old ones stay loaded."),
    Command(
      name: "plugins", usage: "plugins", summary: "Lists the plugins that are loaded or can be."),
    Command(name: "patterns", usage: "patterns", summary: "Lists patterns and steps."),
    Command(name: "names", usage: "names", summary: "Lists the names that are bound."),
    Command(
      name: "help", usage: "help [TOPIC]",
      summary: "Shows an overview, help on a topic, or the topics about a word."),
    Command(
      name: "run", usage: "run EXPRESSION [&]",
      summary: "Runs an expression. The word “run” may be left out."),
    Command(name: "runs", usage: "runs", summary: "Lists the runs so far."),
    Command(
      name: "show", usage: "show [N] [all | lanes | save FILE]",
      summary:
        "Draws run N, or the last one, again. “all” gives each step a row, in a pager if it is long. “lanes” draws "
        + "what ran on each thread, and how long it was used. "
        + "“save” saves the picture that the run yielded as a PNG file, and several as FILE-1, FILE-2 …"
    ),
    Command(
      name: "compare",
      usage: "compare LIST under PATTERN, PATTERN … [runs N]  |  compare runs N, M",
      summary: "Runs a list under several patterns in turn and says which is faster.",
      discussion: comparing),
    explore,
    Command(
      name: "replay", usage: "replay \"SCHEDULE: SCRIPT\"",
      summary: "Runs again what an exploration has found, and shows it event by event.",
      examples: ["replay \"4 workers, cancel at 2: serial { a: sleep 1ms; b: sleep 1ms }\""]),
    Command(
      name: "simulate", usage: "simulate FILE | N [with STEP * FACTOR, workers = N, seed = N …]",
      summary:
        "Runs a saved run, or run N, again on the virtual clock, where each step takes the time that was measured, "
        + "and shows how changes affect the makespan and the critical path."),
    Command(
      name: "expect", usage: "expect QUANTITY OPERATOR VALUE",
      summary:
        "Checks the last run: makespan, work, blocked, concurrency, threads, outcome, value, "
        + "lints, order, critical, count, started, finished; after a compare: ratio, verdict; "
        + "after an explore: violations.",
      discussion: """
        “lints” are the findings as they are listed: what a rule finds in page-1 … page-n counts as one finding, \
        for any n. “expect lints == blocked-thread” asks whether that rule found anything, “expect lints == none” \
        whether no rule did.

        “==” and “!=” round a ratio to the decimals that are written: 0.6674 meets “expect ratio all == 0.667”. A whole \
        number is compared exactly.
        """),
    Command(
      name: "trace",
      usage:
        "trace analyse|lint [FILE]  |  trace why [FILE] STEP  |  trace show [--step STEP | --lanes] [FILE]  |  "
        + "trace show --follow  |  trace save FILE  |  trace export [--format FORMAT] FILE  |  "
        + "trace import FILE",
      summary:
        "Shows where the time of the last run, or of saved runs, went. Saves the session's runs, exports "
        + "the last one, or all of them as a page, or imports those of another program.",
      discussion: """
        “trace analyse” shows where the time went: work, waiting, blocked threads, gaps, lanes, repeated steps, the \
        critical path and why each of its steps did not start sooner, and the slack of every step: how much later it \
        could have ended without delaying the run. “trace why fetch” shows what one step was waiting for. \
        “trace lint” shows what is wrong with a run; “help RULE” explains a rule. “trace show --step job/fetch” \
        draws a step and the steps below it. “--step page” draws every page-1, page-2 …; if there are too many, they \
        share a row. “trace show --lanes” draws what ran on each thread. All of these take “--run N”: the number, name \
        or pattern of a run, in FILE or in the session. “trace show --follow” draws a background run (EXPRESSION &) \
        while it runs, until it ends or you press Ctrl-C.
        Formats: chrome (Perfetto, ui.perfetto.dev), speedscope (speedscope.app), otlp (OpenTelemetry), dot \
        (Graphviz), mermaid, csv; for people svg and png, a picture for a slide, and html, a page with all runs \
        and comparisons so far. Without --format, the file's extension determines the format, such as .dot; .json, \
        or no extension, means chrome. In csv, text that a spreadsheet would take for a formula starts with “'”.
        “trace import” reads a trace in Chrome's JSON, of this program or another. Each process becomes a run of \
        the session, which can be shown, linted and compared.
        """),
    Command(
      name: "set", usage: "set [NAME [VALUE]]",
      summary:
        "Shows or sets clock, seed, workers, cores, time-limit, color, width, pictures, runs, threshold, list-compared.",
      discussion: """
        “list-compared” says whether the runs of a comparison get numbers and are listed by “runs”. \
        “pictures” says how a value that is a PNG is drawn: kitty (its graphics protocol, which Ghostty, WezTerm \
        and Konsole also support), blocks (half blocks in 24-bit colour), colors (half blocks in 256 colours), ascii, \
        off, or auto: the best that the terminal supports, according to the environment.
        """),
    Command(
      name: "jobs", usage: "jobs",
      summary: "Lists the runs in the background, each with its number."),
    Command(name: "wait", usage: "wait [N …]", summary: "Waits for background runs."),
    Command(name: "cancel", usage: "cancel [N …]", summary: "Cancels background runs."),
    Command(
      name: "source", usage: "source FILE", summary: "Runs a script in this session.",
      discussion: beside),
    Command(
      name: "save", usage: "save FILE",
      summary: "Writes what was typed to a script, without the entries that had an error."),
    Command(
      name: "edit", usage: "edit [NAME]",
      summary: "Opens the last entry, or a definition, in $VISUAL or $EDITOR, and then runs it."),
    Command(name: "history", usage: "history", summary: "Lists the latest entries of the prompt."),
    Command(name: "lessons", usage: "lessons", summary: "Lists the lessons."),
    Command(
      name: "lesson", usage: "lesson N",
      summary: "Shows lesson N and runs it. The settings of the session stay as they are."),
    Command(
      name: "!", usage: "!COMMAND",
      summary: "Runs a shell command in the terminal: !ls, !vim job.play."),
    Command(
      name: "quit", usage: "quit | exit | q", summary: "Leaves the program, as Ctrl-D does."),
  ]

  /// The commands, grouped by purpose.
  private static let purposes: [(purpose: String, commands: [String])] = [
    ("to get patterns", ["load", "unload", "reload", "plugins", "patterns", "names"]),
    ("to run", ["run", "jobs", "wait", "cancel", "source", "set", "!"]),
    ("to see", ["runs", "show", "trace"]),
    ("to check", ["compare", "expect", "explore", "replay", "simulate"]),
    ("to learn", ["help", "lessons", "lesson"]),
    ("at the prompt", ["edit", "save", "history", "quit"]),
  ]

  /// The topics that need no plugin.
  static var topics: [String] {
    commands.map(\.name) + ["lints", "glossary", "commands", "keys"] + LintRule.all.map(\.name)
      + Glossary.terms.map(\.name)
  }

  private static let beside =
    "A relative path starts in the working folder. If there is no such file, it starts in the folder of the "
    + "script that names it, wherever the program was started."

  private static var shortcuts: [[String]] {
    LineEditor.shortcuts.map { ["  " + $0.keys, $0.meaning] }
  }

  /// An overview that fits a screen.
  static func overview(width: Int?) -> String {
    let groups = purposes.map { ["  " + $0.purpose, $0.commands.joined(separator: " ")] }
    let more =
      "“help show” or “?show” explains a command, “help serial” a pattern. “help retries” lists "
      + "what has to do with retries. “patterns” lists patterns and steps, “help swift” is about Swift.\n"
      + "“help commands” says what each command does, “help keys” the keys, “help glossary” the terms."
    return """
      Load patterns, write steps, run them, look at the timing:

        load SerialQueue Promises
        serial { fetch: sleep 20ms; parse: work 5ms }
        compare [ a: sleep 2s; b: sleep 1s ] under serial, promise

      Commands:

      \(TextTable(columns: ["", ""], rows: groups).text(width: width))

      \(Prose.wrap(more, to: width))
      """
  }

  /// The commands, each with what it does.
  static func commandList(width: Int?) -> String {
    let rows = commands.map { ["  " + $0.name, $0.summary] }
    return """
      Commands; “help COMMAND” explains one:

      \(TextTable(columns: ["", ""], rows: rows).text(width: width))
      """
  }

  static func keys(width: Int?) -> String {
    """
    \(Prose.wrap("Keys at the prompt (an open { ( or [ continues on the next line):", to: width))

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
      sections.append("Its steps take, after “with”:\n" + table(manual.stepOptions, width))
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
        parameter.defaultValue.map { "by default \($0)" }
          ?? (parameter.isRequired ? "required" : ""),
        parameter.summary + (parameter.clocks == [.live] ? "; on the live clock only" : ""),
      ]
    }
    let text = TextTable(columns: ["", "", "", ""], rows: rows).text(width: width)
    guard let width, text.split(separator: "\n").contains(where: { $0.count > width }) else {
      return text
    }
    // There is no room for a column of summaries, so each is below its parameter.
    let heads = TextTable(columns: ["", "", ""], rows: rows.map { $0.dropLast() })
    return zip(heads.text.split(separator: "\n"), rows).map { head, row in
      "\(head)\n" + Prose.wrap("    " + (row.last ?? ""), to: width)
    }.joined(separator: "\n")
  }

  private static func facts(of manual: Manual) -> [String] {
    var facts: [String] = []
    if manual.steps != .none {
      let values =
        switch (manual.flow, manual.failure) {
        case (.sequence, _):
          "each step's value is the next one's input; the last value is the result."
        case (.sideBySide, .first), (.sideBySide, .firstSuccess):
          "each step gets the pattern's input; the result is the value of the step that decides."
        case (.sideBySide, .collects):
          "each step gets the pattern's input; the result is the list of their results."
        case (.sideBySide, _):
          "each step gets the pattern's input; the result is the list of their values."
        }
      facts.append("Values: \(values)")
      facts.append("Failures: \(manual.failure.summary)")
    }
    if manual.blocksThread { facts.append("It blocks a thread while it runs.") }
    if manual.isUnguarded {
      facts.append("It is notified of every call of a completion, not only of the first.")
    }
    if manual.clocks == [.live] { facts.append("It runs on the live clock only.") }
    if !manual.breaks.isEmpty {
      let laws = manual.breaks.map(\.rawValue).sorted().joined(separator: ", ")
      facts.append("It breaks these laws on purpose: \(laws).")
    }
    if let difference = manual.differsFrom { facts.append("Differs from \(difference).") }
    if !manual.seeAlso.isEmpty {
      facts.append("See also: \(manual.seeAlso.joined(separator: ", ")).")
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
