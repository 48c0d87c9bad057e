import TimingTrace

extension HelpText {
  /// All rules, each with a sentence about what it finds.
  static func lints(width: Int?) -> String {
    let rows = LintRule.all.map { ["  " + $0.name, $0.explanation.firstSentence] }
    return """
      Rules that find problems in a trace; “help RULE” explains one:

      \(TextTable(columns: ["", ""], rows: rows).text(width: width))

      “trace lint FILE” exits with 1 if there is a finding. “expect lints == none” fails if there is one.
      """
  }

  static func text(of rule: LintRule, width: Int?) -> String {
    ([rule.name] + [rule.explanation, rule.fix].map { Prose.wrap("  " + $0, to: width) }
      + ["  " + rule.page]).joined(separator: "\n")
  }

  /// How to learn more about the rules of some findings. Each rule is named once.
  static func more(about lints: [LintRecord]) -> String? {
    var names: [String] = []
    for lint in lints where LintRule.named(lint.rule) != nil && !names.contains(lint.rule) {
      names.append(lint.rule)
    }
    guard !names.isEmpty else { return nil }
    let helps = names.map { "“help \($0)”" }.joined(separator: ", ")
    return "\(helps) \(names.count == 1 ? "explains" : "explain") it"
  }
}
