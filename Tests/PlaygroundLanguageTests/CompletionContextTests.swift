import PlaygroundLanguage
import Testing

@Suite struct CompletionContextTests {
  typealias Kind = CompletionContext.Kind

  @Test(arguments: [
    ("", Kind.statement, ""), ("ser", .statement, "ser"), ("names; he", .statement, "he"),
    ("a\nru", .statement, "ru"), ("serial { a\n} & \n", .statement, ""),
    ("job = ", .expression, ""), ("job = se", .expression, "se"),
    ("job =\n  se", .expression, "se"),
    ("run se", .expression, "se"), ("explore ", .expression, ""),
    ("serial jo", .body(callee: "serial"), "jo"), ("serial { se", .expression, "se"),
    ("serial {\n  a: sl", .expression, "sl"), ("serial { a: 3 * ", .expression, ""),
    ("serial { serial.", .expression, "serial."), ("serial.sem", .statement, "serial.sem"),
    ("serial { a: q jo", .body(callee: "q"), "jo"),
    ("graph(", .argumentName(callee: "graph", given: []), ""),
    ("graph(wi", .argumentName(callee: "graph", given: []), "wi"),
    ("graph(width: 2,\n  po", .argumentName(callee: "graph", given: ["width"]), "po"),
    ("p { graph(on-failure: fa", .argumentValue(callee: "graph", argument: "on-failure"), "fa"),
    ("p { graph(on-failure: ", .argumentValue(callee: "graph", argument: "on-failure"), ""),
    ("graph { a: x; b: y\n c: z after ", .label(["a", "b"]), ""),
    ("graph { a: x; \"b c\": y\n sleep 1ms; z after a, s", .label(["a", "b c", "sleep"]), "s"),
    ("graph { a: x; b: q { c: x; d: y after ", .label(["c"]), ""),
    ("graph { a: q { c: x }; d: y after ", .label(["a"]), ""),
    ("graph { a: x; b: y after \"a", .label(["a"]), "a"),
    ("graph { a: x with tr", .stepOptionName(pattern: "graph", given: []), "tr"),
    (
      "run graph(width: 2) { a: x with on: main, ",
      .stepOptionName(pattern: "graph", given: ["on"]), ""
    ),
    ("g { s { a }; b: x with on: ma", .stepOptionValue(pattern: "g", option: "on"), "ma"),
    ("job = [a with ", .stepOptionName(pattern: nil, given: []), ""),
    ("g { [a with ", .stepOptionName(pattern: "g", given: []), ""),
    ("load ", .plugin, ""), ("load A path/to/Fi", .plugin, "path/to/Fi"),
    ("load \"a b/c", .plugin, "a b/c"), ("unload Se", .loadedPlugin, "Se"),
    ("reload Se", .loadedPlugin, "Se"), ("help se", .helpTopic(after: []), "se"),
    ("help critical p", .helpTopic(after: ["critical"]), "p"),
    ("source ./a", .file, "./a"), ("read \"READ", .file, "READ"),
    ("p { a: write \"out/", .file, "out/"), ("p { read \"a\"; sh \"wc", .file, "wc"),
    ("trace save fo", .traceWord(subcommand: "save"), "fo"),
    ("trace export --format ch", .traceFormat, "ch"),
    ("trace export --format chrome o", .traceWord(subcommand: "export"), "o"),
    ("simulate fi", .file, "fi"), ("simulate f with ", .stepPath(parent: []), ""),
    ("compare jo", .list, "jo"), ("compare job under se", .pattern, "se"),
    ("compare job under a,\n b", .pattern, "b"), ("compare runs ", .runNumber, ""),
    ("compare [a; sl", .expression, "sl"),
    ("compare job under a(w", .argumentName(callee: "a", given: []), "w"),
    ("trace show --run ", .runNumber, ""),
    ("show ", .runNumber, ""), ("show save pic/a", .file, "pic/a"),
    ("show 2 save \"a b", .file, "a b"), ("show save a ", .nothing, ""),
    ("wait ", .jobNumber, ""), ("cancel ", .jobNumber, ""),
    ("expect order a, b", .stepPath(parent: []), "b"),
    ("expect finished job/fe", .stepPath(parent: ["job"]), "fe"),
    ("expect outcome == su", .expectedValue(of: "outcome"), "su"),
    ("expect ratio se", .comparedName, "se"),
    ("expect verdict serial == fa", .expectedValue(of: "verdict"), "fa"),
    ("set cl", .settingName, "cl"), ("set clock vi", .settingValue(of: "clock"), "vi"),
    ("serial # rem", .nothing, ""), ("sleep 20", .nothing, ""), ("sleep 2", .nothing, ""),
    ("p { a: \"x\"", .nothing, ""),
    ("explore a checking { expect outcome == ", .expectedValue(of: "outcome"), ""),
    ("sh \"cat dir/fi", .file, "dir/fi"), ("sh \"cat <a", .file, "a"), ("sh \"", .file, ""),
    ("?ser", .helpTopic(after: []), "ser"), ("?critical pa", .helpTopic(after: ["critical"]), "pa"),
    ("!cat dir/fi", .file, "dir/fi"), (")))}}]]", .nothing, ""), ("a ) } ; ", .statement, ""),
    ("(", .nothing, ""),
    ("p { a", .expression, "a"),
  ])
  func `the text before the cursor determines the kind of completion`(
    _ text: String, _ kind: Kind, _ partial: String
  ) {
    let context = CompletionContext(textBeforeCursor: text)
    #expect(context.kind == kind)
    #expect(context.text == partial)
    #expect(context.range.end == text.utf8.count || kind == .nothing)
  }

  @Test(arguments: [
    ("compare job u", ["under"]), ("compare job under serial r", ["runs"]),
    ("compare job under serial runs 3 ", []), ("p { a: sleep 1ms ", ["after", "with"]),
    ("p { a: sleep 1ms after b ", ["with"]), ("p { sleep 1ms with a: b ", ["after"]),
    ("explore p { a } ", ["runs", "strategy", "depth", "inject", "checking"]),
    ("explore job runs 3 strategy ", ["random", "pct", "dfs"]),
    ("explore job runs 3 ", ["strategy", "depth", "inject", "checking"]),
    ("explore job inject ", ["cancel", "failure", "lateness"]),
    ("explore job checking { ", ["expect"]),
    ("trace ", ["save", "show", "why", "analyse", "lint", "export", "import"]),
    ("show ", ["all", "lanes", "save"]),
    ("show 2 ", ["all", "lanes", "save"]), ("show 2 save ", []),
    ("show 2 lanes ", []), ("show lanes ", []),
    ("simulate f ", ["with"]), ("expect ma", ExpectationSyntax.subjects),
    ("", Keyword.commands.map(\.rawValue) + CommandName.allCases.map(\.rawValue)),
  ])
  func `the text before the cursor determines the possible keywords`(
    _ text: String, _ keywords: [String]
  ) {
    #expect(CompletionContext(textBeforeCursor: text).keywords == keywords)
  }

  @Test func `strings are recognised`() {
    #expect(CompletionContext(textBeforeCursor: "read \"a").isQuoted)
    #expect(!CompletionContext(textBeforeCursor: "read a").isQuoted)
  }
}
