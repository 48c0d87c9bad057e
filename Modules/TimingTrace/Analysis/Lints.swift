internal import AsyncPatterns

/// What the events show to be wrong, or probably wrong.
struct Lints {
  private(set) var all: [LintRecord] = []

  init(_ table: SpanTable, _ layout: StepLayout) {
    for misuse in table.misuses {
      all.append(
        LintRecord(
          rule: misuse.rule, step: layout.path(of: misuse.node),
          message: misuse.rule == "starvation"
            ? Lints.starvation(misuse, table, layout) : misuse.detail))
    }
    for index in table.nodes.indices {
      let node = table.nodes[index]
      if node.blockCount > 0 { addBlockedThread(node, path: layout.path(of: index)) }
    }
    addNeverCompleted(table, layout)
  }

  /// Says who it was that waited, and for whom.
  private static func starvation(
    _ misuse: SpanTable.Misuse, _ table: SpanTable, _ layout: StepLayout
  ) -> String {
    let name = misuse.node.map { "“\(table.nodes[$0].label)”" } ?? "a job"
    let shown = 4
    var blockers = misuse.blockers.prefix(shown).map { "“\(layout.path(of: $0))”" }
    if misuse.blockers.count > shown { blockers.append("\(misuse.blockers.count - shown) more") }
    let last = blockers.popLast() ?? ""
    let list = blockers.isEmpty ? last : blockers.joined(separator: ", ") + " and " + last
    let message = "\(name) \(misuse.detail)"
    return list.isEmpty ? message : "\(message), by \(list); let those wait without a thread"
  }

  private mutating func addBlockedThread(_ node: SpanTable.Node, path: String) {
    let time = Duration.nanoseconds(node.blocked).shortDescription
    let times = node.blockCount == 1 ? "" : " in \(node.blockCount) stretches"
    let wayOut =
      node.isLeaf
      ? "wait with a timer (sleep) or for a completion, which park none"
      : "let each completion start what comes next, and no thread need wait for it"
    all.append(
      LintRecord(
        rule: "blocked-thread", step: path,
        message: "“\(node.label)” kept a thread parked for \(time)\(times); \(wayOut)"))
  }

  /// Only the innermost: that a pattern waits for what does not complete is no fault of its own.
  private mutating func addNeverCompleted(_ table: SpanTable, _ layout: StepLayout) {
    var holdsUnfinished = Array(repeating: false, count: table.nodes.count)
    var unfinished: [Int] = []
    for index in table.nodes.indices.reversed() {
      let node = table.nodes[index]
      guard node.started != nil, node.finished == nil else { continue }
      if !holdsUnfinished[index] { unfinished.append(index) }
      if let parent = node.parent { holdsUnfinished[parent] = true }
    }
    for index in unfinished.reversed() {
      all.append(
        LintRecord(
          rule: "never-completed", step: layout.path(of: index),
          message:
            "“\(table.nodes[index].label)” started and had not completed when the run ended; "
            + "call its completion on every path, or bound it with a timeout"))
    }
  }
}
