import PlaygroundLanguage

extension Checker {
  mutating func trace(
    _ subcommand: TraceSubcommand, _ name: NameSyntax, _ words: [WordSyntax], in source: Source
  ) {}
}
