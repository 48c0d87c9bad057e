public import AsyncPatterns
import PlaygroundLanguage

extension Composer {
  /// The steps between a call's braces or brackets, or those its name stands for.
  mutating func body(of call: CallSyntax) -> WrittenSteps? {
    switch call.body {
    case .none: return WrittenSteps()
    case .block(let list), .list(let list): return steps(list)
    case .name(let name): return steps(named: name)
    }
  }

  /// The steps of a list in brackets, of a named list, or of something else alone.
  mutating func steps(named expression: ExpressionSyntax) -> WrittenSteps? {
    switch expression {
    case .list(let list): return steps(list)
    case .call(let call):
      guard let name = call.plainName else { return alone(step(expression), at: call.range) }
      return steps(named: name)
    }
  }

  private mutating func steps(named name: NameSyntax) -> WrittenSteps? {
    if let (list, binding) = bindings[name.text]?.list { return steps(list, of: name, binding) }
    return alone(step(named: name), at: name.range)
  }

  private func alone(_ step: Step?, at range: SourceRange) -> WrittenSteps? {
    guard let step else { return nil }
    return WrittenSteps(
      steps: [WrittenStep(step: step, source: source)], ranges: [step.label: (range, source)])
  }

  /// The steps of the list that `name` stands for; they say so.
  private mutating func steps(
    _ list: ListSyntax, of name: NameSyntax, _ binding: Binding
  ) -> WrittenSteps? {
    guard var inner = within(binding, { $0.steps(list) }) else { return nil }
    for index in inner.steps.indices {
      let group = inner.steps[index].step.group
      inner.steps[index].step.group = group.map { "\(name.text)/\($0)" } ?? name.text
    }
    return inner
  }

  /// The steps of a list: labels given, counts multiplied out, named lists taken over.
  mutating func steps(_ list: ListSyntax) -> WrittenSteps? {
    let found = diagnostics.count
    var labelling = Labelling(explicit: list.steps)
    var result = WrittenSteps()
    for written in list.steps { append(written, to: &result, &labelling) }
    for written in list.steps { connect(written, in: &result, labelling) }
    return diagnostics.count == found ? result : nil
  }

  // MARK: - Labels and counts

  private mutating func append(
    _ written: StepSyntax, to result: inout WrittenSteps, _ labelling: inout Labelling
  ) {
    if let (name, list, binding) = namedList(written.expression) {
      return splice(name, list, binding, for: written, into: &result, &labelling)
    }
    guard let made = step(written.expression) else { return }
    let stem = written.label?.text ?? made.label
    let labels: [String]
    if let count = written.count {
      labels = labelling.numbered(stem, count: count.value)
      result.groups[stem, default: []] += labels
    } else if let label = written.label {
      labels = [label.text]
    } else {
      labels = [labelling.generated(stem)]
    }
    let isRepeated = written.label.map { labelling.isRepeated($0.text) } ?? false
    for label in labels {
      if isRepeated || result.ranges[label] != nil {
        report(
          "there are two steps called “\(label)” here", at: (written.label?.range ?? written.range),
          hint: "labels are unique among the steps of a list")
        return
      }
      var step = made
      step.label = label
      result.ranges[label] = (written.range, source)
      result.steps.append(WrittenStep(step: step, options: written.options, source: source))
    }
    labelling.record(labels, of: written)
  }

  private func namedList(
    _ expression: ExpressionSyntax
  ) -> (NameSyntax, ListSyntax, Binding)? {
    guard case .call(let call) = expression, let name = call.plainName,
      let (list, binding) = bindings[name.text]?.list
    else { return nil }
    return (name, list, binding)
  }

  private mutating func splice(
    _ name: NameSyntax, _ list: ListSyntax, _ binding: Binding, for written: StepSyntax,
    into result: inout WrittenSteps, _ labelling: inout Labelling
  ) {
    if let label = written.label {
      report(
        "“\(name.text)” is a list and stands for its steps, so it takes no label", at: label.range,
        hint: "put a pattern between them: \(label.text): serial \(name.text)")
      return
    }
    if let count = written.count {
      report(
        "“\(name.text)” is a list and stands for its steps, so it takes no count", at: count.range,
        hint: "put a pattern between them: \(count.value) * serial \(name.text)")
      return
    }
    guard let inner = steps(list, of: name, binding) else { return }
    var labels: [String] = []
    for var step in inner.steps {
      let label = step.step.label
      guard result.ranges[label] == nil, !labelling.isExplicit(label) else {
        report(
          "there are two steps called “\(label)” here, one of them from “\(name.text)”",
          at: written.range, hint: "labels are unique among the steps of a list")
        return
      }
      labelling.take(label)
      labels.append(label)
      result.ranges[label] = (written.range, source)
      step.options += written.options
      result.steps.append(step)
    }
    result.groups.merge(inner.groups) { here, _ in here }
    result.groups[name.text] = labels
    labelling.record(labels, of: written)
  }

  // MARK: - After

  /// Resolves `after`, now that all labels of the list are known.
  private mutating func connect(
    _ written: StepSyntax, in result: inout WrittenSteps, _ labelling: Labelling
  ) {
    guard !written.predecessors.isEmpty else { return }
    var predecessors: [String] = []
    for label in written.predecessors {
      let meant = result.labels(meantBy: label.text)
      if meant.isEmpty {
        let known = result.ranges.keys.sorted() + result.groups.keys.sorted()
        diagnostics.append(
          Diagnostic(
            "“after \(label.text)” names no step of this list", at: label.range, in: source,
            unknown: label.text, among: known))
      }
      for one in meant where !predecessors.contains(one) { predecessors.append(one) }
    }
    let own = Set(labelling.labels(of: written))
    for index in result.steps.indices where own.contains(result.steps[index].step.label) {
      let known = result.steps[index].step.predecessors
      result.steps[index].step.predecessors += predecessors.filter { !known.contains($0) }
    }
  }

  // MARK: - With

  /// The option that the kernel gives every step.
  public static let laneOption = Parameter(
    "on", .word(["main", "pool"]), summary: "the lane the step starts on")

  /// The steps with their options as the pattern's manual has them, beside the kernel's own `on`.
  mutating func resolveOptions(_ written: WrittenSteps, under manual: Manual) -> [Step]? {
    let found = diagnostics.count
    var known = manual
    known.stepOptions.append(Composer.laneOption)
    let steps = written.steps.map { written in
      var step = written.step
      guard !written.options.isEmpty || !manual.stepOptions.isEmpty else { return step }
      do throws(ArgumentError) {
        step.options = try known.resolveOptions(
          written.options.map { (name: $0.name.text, value: $0.value.asValue) })
      } catch {
        let place = error.position.map { written.options[$0].range } ?? written.options.first?.range
        let near = nearest(to: written.options.first?.name.text ?? "", among: error.suggestions)
        report(
          error.message, at: place ?? SourceRange(0, 0), in: written.source,
          hint: near.map { "did you mean “\($0)”?" })
      }
      return step
    }
    return diagnostics.count == found ? steps : nil
  }
}
