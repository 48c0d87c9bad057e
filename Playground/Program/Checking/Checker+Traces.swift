import PlaygroundLanguage
import TimingTrace

extension Checker {
  /// `trace save FILE`, `trace show [--step STEP | --lanes] [FILE]`, `trace show --follow`,
  /// `trace lint|analyse [FILE]`, `trace why [FILE] STEP`, `trace export [--format FORMAT] FILE`,
  /// `trace import FILE`. The commands that show or export runs take `--run N`.
  mutating func trace(
    _ subcommand: TraceSubcommand, _ name: NameSyntax, _ words: [WordSyntax], in source: Source
  ) {
    guard let written = written(subcommand, name, words, in: source) else { return }
    switch subcommand {
    case .import:
      guard let file = written.words.first?.text else {
        return report(
          "“trace import” needs a file to read", at: name.range, in: source,
          hint: "for instance: trace import trace.json")
      }
      // The steps of the imported runs are known only when the file has been read.
      lastComposed = nil
      isLastRunKnown = false
      actions.append(Action { $0.importRuns(of: file) })
    case .save, .export:
      guard let word = written.words.first else {
        return report(
          "“trace \(name.text)” needs a file to write to", at: name.range, in: source,
          hint: "for instance: trace \(name.text) \(subcommand == .save ? "a.runs" : "a.svg")")
      }
      let file = word.text
      if subcommand == .save { savedFiles.insert(FilePath.canonical(FilePath.resolve(file))) }
      var request = written.request
      request.output = file
      do {
        try session.keepOptionFiles(from: file)
        if subcommand == .save {
          try WrittenKind.runs.check(file, of: "“trace save”")
        } else {
          let format =
            if let chosen = request.format { chosen } else { try ExportFormat(destination: file) }
          if format == .text(.html) {
            try WrittenKind.page.keepOthers(at: file, from: "“trace export”")
          }
        }
      } catch {
        return report(error.message, at: word.range, in: source, hint: error.hint)
      }
      guard subcommand == .export else { return actions.append(Action { $0.save(to: file) }) }
      // An HTML report contains all runs.
      let isReport =
        request.run == nil
        && (request.format ?? ExportFormat(fileName: file)) == .text(.html)
      actions.append(
        isReport
          ? Action { $0.report(to: file) } : Action { [request] in $0.trace(request, file: nil) })
    case .why:
      guard let step = written.words.last?.text else {
        return report(
          "“trace why” needs a step", at: name.range, in: source, hint: "trace why fetch")
      }
      var request = written.request
      request.step = step
      let file = written.words.count > 1 ? written.words[0].text : nil
      actions.append(Action { [request] in $0.trace(request, file: file) })
    case .show, .lint, .analyse:
      let (request, file) = (written.request, written.words.first?.text)
      if request.follows {
        if let word = written.words.first {
          return report(
            "“--follow” draws a run in progress, but “\(word.text)” is a file", at: word.range,
            in: source, hint: "EXPRESSION & and then: trace show --follow")
        }
        return actions.append(Action { await $0.follow() })
      }
      actions.append(Action { $0.trace(request, file: file) })
    }
  }

  /// `show [N] [all | lanes | save FILE]`.
  mutating func show(_ number: Int?, _ shown: ShownSyntax, in source: Source) {
    switch shown {
    case .timeline: actions.append(Action { $0.show(number) })
    case .allSteps: actions.append(Action { await $0.showAll(number) })
    case .lanes: actions.append(Action { $0.showLanes(ofRun: number) })
    case .picture(let file):
      do {
        try session.keepOptionFiles(from: file.text)
        try WrittenKind.picture.check(file.text, of: "“show save”")
      } catch {
        return report(error.message, at: file.range, in: source, hint: error.hint)
      }
      actions.append(Action { $0.savePictures(ofRun: number, to: file.text) })
    }
  }

  /// Separates the options from the other words. If one of them is wrong, reports it and returns nil.
  private mutating func written(
    _ subcommand: TraceSubcommand, _ name: NameSyntax, _ words: [WordSyntax], in source: Source
  ) -> (request: TraceRequest, words: [WordSyntax])? {
    var request = TraceRequest(subcommand)
    var others: [WordSyntax] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.text.hasPrefix("--"), !word.isQuoted else {
        others.append(word)
        continue
      }
      switch (word.text, subcommand) {
      case ("--follow", .show): request.follows = true
      case ("--lanes", .show): request.showsLanes = true
      case ("--step", .show):
        guard let value = rest.popFirst() else {
          report(
            "“--step” needs a step", at: word.range, in: source, hint: "trace show --step fetch")
          return nil
        }
        request.step = value.text
      case ("--run", .show), ("--run", .analyse), ("--run", .why), ("--run", .lint),
        ("--run", .export):
        guard let value = rest.popFirst() else {
          report(
            "“--run” needs a run’s number or name", at: word.range, in: source,
            hint: "“runs” lists them")
          return nil
        }
        request.run = value.text
      case ("--format", .export):
        guard let value = rest.popFirst() else {
          report("“--format” needs a format", at: word.range, in: source, hint: ExportFormat.list)
          return nil
        }
        guard let known = ExportFormat(named: value.text) else {
          report(
            "there is no format “\(value.text)”", at: value.range, in: source,
            hint: ExportFormat.hint(for: value.text))
          return nil
        }
        request.format = known
      default:
        report("“trace \(name.text)” takes no “\(word.text)”", at: word.range, in: source)
        return nil
      }
    }
    if request.showsLanes, request.step != nil {
      report(
        "“--step” draws steps and “--lanes” draws lanes; use one of them", at: name.range,
        in: source)
      return nil
    }
    if let input = others.first(where: { $0.text == "-" && !$0.isQuoted }) {
      report(
        "“-” means a pipe, and works only on the command line", at: input.range, in: source,
        hint: "playground trace \(name.text) -")
      return nil
    }
    let most = subcommand == .why ? 2 : 1
    if others.count > most {
      report(
        subcommand == .why
          ? "“trace why” takes only one file and one step"
          : "“trace \(name.text)” takes only one file",
        at: others[most].range, in: source)
      return nil
    }
    return (request, others)
  }
}
