import AsyncPatterns
import PlaygroundLanguage

/// The meaning of a line of a list, before labels are assigned.
private enum ListItem {
  case step(Step, count: Int)
  case spliced(WrittenSteps, NameSyntax)
  /// The line, or the list that it names, has an error.
  case nothing

  var count: Int {
    switch self {
    case .step(_, let count): count
    case .spliced(let steps, _): steps.steps.count
    case .nothing: 0
    }
  }
}

extension Composer {
  /// The steps of a list in brackets or of a named list. Any other expression is a single step.
  mutating func steps(of expression: ExpressionSyntax) -> WrittenSteps? {
    switch expression {
    case .list(let list): return steps(list)
    case .call(let call):
      if let name = call.plainName, let list = bindings[name.text]?.list {
        return steps(of: list, called: name)
      }
      return step(call).map { WrittenSteps($0, written: call.range, in: source) }
    }
  }

  /// The steps of a list, with labels assigned, counts expanded and named lists inserted.
  ///
  /// - Complexity: O(n + p) for n steps and p pairs of steps that `after` connects.
  mutating func steps(_ list: ListSyntax) -> WrittenSteps? {
    var result = WrittenSteps()
    guard let items = items(of: list, gaps: &result) else { return nil }
    var labelling = Labelling()
    let isClaimed = zip(list.steps, items).map { written, item in
      let isClaimed = claimLabels(of: written, item, &labelling)
      if !isClaimed { result.isUnusable = true }
      return isClaimed
    }
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(items.count)
    for (index, written) in list.steps.enumerated() {
      let start = result.steps.count
      if isClaimed[index] { append(items[index], written, to: &result, &labelling) }
      ranges.append(start..<result.steps.count)
    }
    connect(list, ranges, in: &result, labelling)
    return result
  }

  /// The meanings of the lines of a list; nil if there are too many findings or steps.
  private mutating func items(of list: ListSyntax, gaps result: inout WrittenSteps) -> [ListItem]? {
    var items: [ListItem] = []
    items.reserveCapacity(list.steps.count)
    var total = 0
    for written in list.steps {
      if diagnostics.count >= Self.mostDiagnostics { return nil }
      let item = item(written, gaps: &result)
      total += item.count
      guard total <= Parser.mostSteps else {
        report(
          "a list can have at most 1 000 000 steps", at: written.range,
          hint: "put a pattern around some of them: serial { … }")
        return nil
      }
      items.append(item)
    }
    result.steps.reserveCapacity(total)
    result.origins.reserveCapacity(total)
    result.written.reserveCapacity(items.count)
    return items
  }

  private mutating func item(
    _ written: StepSyntax, gaps result: inout WrittenSteps
  ) -> ListItem {
    if case .call(let call) = written.expression, let name = call.plainName,
      let list = bindings[name.text]?.list
    {
      guard allowsSplicing(name, for: written), let inner = steps(of: list, called: name) else {
        result.isUnusable = true
        result.hasGaps = true
        return .nothing
      }
      return .spliced(inner, name)
    }
    if let step = step(written.expression) { return .step(step, count: written.count?.value ?? 1) }
    // Returns a placeholder for the step with an error, so that an `after` in another step finds its label.
    result.isUnusable = true
    guard case .call(let call) = written.expression else { return .nothing }
    return .step(.never(call.callee.text), count: written.count?.value ?? 1)
  }

  private mutating func allowsSplicing(_ name: NameSyntax, for written: StepSyntax) -> Bool {
    if let label = written.label {
      report(
        "“\(name.text)” is a list of steps, so it takes no label", at: label.range,
        hint: "put a pattern between them: \(source.text(label.range)): serial \(name.text)")
      return false
    }
    if let count = written.count {
      report(
        "“\(name.text)” is a list of steps, so it takes no count", at: count.range,
        hint: "put a pattern between them: \(count.value) * serial \(name.text)")
      return false
    }
    return true
  }

  // MARK: - Labels

  /// Claims the written labels of a line, including those of an inserted list. Returns false if a label was already
  /// claimed.
  private mutating func claimLabels(
    of written: StepSyntax, _ item: ListItem, _ labelling: inout Labelling
  ) -> Bool {
    if case .spliced(let inner, let name) = item {
      for step in inner.written where step.isLabelled && !labelling.claim(step.stem) {
        report(
          "there are two steps called “\(step.stem)” here, one of them from “\(name.text)”",
          at: written.range, hint: "put a pattern between them: serial \(name.text)")
        return false
      }
    } else if let label = written.label, !labelling.claim(label.text) {
      report(
        "there are two steps called “\(label.text)” here", at: label.range,
        hint: "labels must be unique among the steps of a list")
      return false
    }
    return true
  }

  private func append(
    _ item: ListItem, _ written: StepSyntax, to result: inout WrittenSteps,
    _ labelling: inout Labelling
  ) {
    let options = written.options.map { WrittenOption(syntax: $0, source: source) }
    switch item {
    case .nothing: break
    case .spliced(let inner, let name):
      result.splice(inner, called: name.text, adding: options, &labelling)
    case .step(let step, let count):
      let origin = WrittenStep(
        stem: written.label?.text ?? step.label, isLabelled: written.label != nil,
        isCounted: written.count != nil, options: options, range: written.range, source: source)
      result.append(step, count: count, origin, &labelling)
    }
  }

  // MARK: - After

  private mutating func connect(
    _ list: ListSyntax, _ ranges: [Range<Int>], in result: inout WrittenSteps,
    _ labelling: Labelling
  ) {
    var total = result.dependencies.reduce(0) {
      $0 + $1.successors.count * $1.predecessors.reduce(0) { $0 + $1.count }
    }
    let inherited = result.unresolved
    result.unresolved = []
    for label in inherited {
      connect(label.successors, after: [label], in: &result, labelling, total: &total)
    }
    for (written, range) in zip(list.steps, ranges) where !written.predecessors.isEmpty {
      let labels = written.predecessors.map {
        UnresolvedLabel(label: $0, source: source, successors: range)
      }
      connect(range, after: labels, in: &result, labelling, total: &total)
      if diagnostics.count >= Self.mostDiagnostics { return }
    }
  }
}

extension WrittenSteps {
  fileprivate mutating func append(
    _ step: Step, count: Int, _ origin: WrittenStep, _ labelling: inout Labelling
  ) {
    let start = steps.count
    if origin.isCounted {
      labelling.number(origin.stem, for: start..<start + count) { label in
        steps.append(step)
        steps[steps.count - 1].label = label
      }
    } else {
      steps.append(step)
      if origin.isLabelled {
        steps[start].label = origin.stem
        labelling.give(origin.stem, to: start)
      } else {
        steps[start].label = labelling.generate(origin.stem, for: start)
      }
    }
    origins.append(contentsOf: repeatElement(written.count, count: count))
    written.append(origin)
    if origin.isCounted { addToGroup(origin.stem, start..<steps.count) }
  }

  /// Inserts the steps of a named list. If a generated label of a step is already used here, the step gets another
  /// label.
  fileprivate mutating func splice(
    _ inner: WrittenSteps, called name: String, adding options: [WrittenOption],
    _ labelling: inout Labelling
  ) {
    let start = steps.count
    let firstOrigin = written.count
    func shifted(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound + start..<range.upperBound + start
    }
    for (step, origin) in zip(inner.steps, inner.origins) {
      var copy = step
      let index = steps.count
      let source = inner.written[origin]
      if source.isLabelled && !source.isCounted {
        labelling.give(step.label, to: index)
      } else if !labelling.giveIfFree(step.label, to: index) {
        copy.label = labelling.number(source.stem, from: source.isCounted ? 1 : 2, for: index)
      }
      steps.append(copy)
      origins.append(origin + firstOrigin)
    }
    written += inner.written.map { step in
      var copy = step
      copy.options += options
      return copy
    }
    for (label, ranges) in inner.groups {
      for range in ranges { addToGroup(label, shifted(range)) }
    }
    addToGroup(name, start..<steps.count)
    dependencies += inner.dependencies.filter { !$0.successors.isEmpty }.map {
      Dependency(
        successors: shifted($0.successors), predecessors: $0.predecessors.map(shifted))
    }
    // In an empty list, `after` delays no step, so its labels are dropped. Otherwise they would multiply with each
    // insertion of the list.
    unresolved += inner.unresolved.filter { !$0.successors.isEmpty }.map {
      UnresolvedLabel(label: $0.label, source: $0.source, successors: shifted($0.successors))
    }
    isUnusable = isUnusable || inner.isUnusable
    hasGaps = hasGaps || inner.hasGaps
  }

  /// Adds steps to a group. Ranges that are adjacent are merged into one, even if they come from several lists.
  private mutating func addToGroup(_ label: String, _ range: Range<Int>) {
    guard !range.isEmpty else {
      if groups[label] == nil { groups[label] = [] }
      return
    }
    if let last = groups[label]?.last, last.upperBound == range.lowerBound {
      groups[label]?.removeLast()
      groups[label]?.append(last.lowerBound..<range.upperBound)
    } else {
      groups[label, default: []].append(range)
    }
  }
}
