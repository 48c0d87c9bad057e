import PlaygroundLanguage
import TimingTrace

extension Checker {
  /// `trace save FILE`, `trace show|lint|analyse [FILE]`, `trace export [--format FORMAT] FILE`,
  /// `trace import FILE`.
  mutating func trace(
    _ subcommand: TraceSubcommand, _ name: NameSyntax, _ words: [WordSyntax], in source: Source
  ) {
    var files: [WordSyntax] = []
    var format: ExportFormat?
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.text.hasPrefix("--"), !word.isQuoted else {
        files.append(word)
        continue
      }
      guard word.text == "--format", subcommand == .export else {
        return report("“trace \(name.text)” takes no “\(word.text)”", at: word.range, in: source)
      }
      guard let value = rest.popFirst() else {
        return report(
          "“--format” needs a format", at: word.range, in: source, hint: ExportFormat.list)
      }
      guard let known = ExportFormat(named: value.text) else {
        return report(
          "there is no format “\(value.text)”", at: value.range, in: source,
          hint: ExportFormat.hint(for: value.text))
      }
      format = known
    }
    if files.count > 1 {
      return report("“trace \(name.text)” takes one file", at: files[1].range, in: source)
    }
    let file = files.first
    switch subcommand {
    case .import:
      guard let file else {
        return report("“trace import” needs a file to read", at: name.range, in: source)
      }
      // Which steps it has is known when its turn comes.
      lastComposed = nil
      isLastRunKnown = false
      actions.append(Action { $0.importRuns(of: file.text) })
    case .save, .export:
      guard let file else {
        return report("“trace \(name.text)” needs a file to write to", at: name.range, in: source)
      }
      if subcommand == .save { savedFiles.insert(FilePath.canonical(FilePath.resolve(file.text))) }
      actions.append(
        subcommand == .save
          ? Action { $0.save(to: file.text) }
          : Action { $0.traceLast(.export, format: format, to: file.text) })
    case .show, .lint, .analyse:
      let word = name.text
      actions.append(
        file.map { file in
          Action { $0.trace(word, file: file.text, format: nil, to: nil) }
        } ?? Action { $0.traceLast(subcommand, format: nil, to: nil) })
    }
  }
}

extension Session {
  /// Carries out a subcommand on the last run; a report is of all.
  fileprivate func traceLast(_ action: TraceSubcommand, format: ExportFormat?, to output: String?) {
    if let output, (format ?? ExportFormat(fileName: output)) == .text(.html) {
      return report(to: output)
    }
    do {
      guard let run = try run(numbered: nil) else { return }
      try trace(action, [run.saved], format: format, to: output)
    } catch {
      fail(error)
    }
  }
}
