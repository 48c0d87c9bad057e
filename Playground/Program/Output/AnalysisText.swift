import AsyncPatterns
import TimingTrace

/// An analysis as text: where the time went, the use of the lanes, the critical path, repeated steps, and all steps.
struct AnalysisText {
  let record: RunRecord
  let analysis: Analysis
  /// Where to start to make the run shorter.
  let advice: String?
  let style: TerminalStyle

  private var glyphs: Timeline.Style { style.isUnicode ? .unicode : .ascii }

  var text: String {
    let outcome = " · \(analysis.outcome.rawValue)"
    let room = style.textWidth.map { $0 - outcome.count } ?? 72
    let name = TerminalText.fit(analysis.name, room, style: style.characters)
    var sections = [name + outcome, summary]
    if record.causesAreInferred {
      sections.append(Prose.wrap(RunRecord.inferredCauses, to: style.textWidth))
    }
    if !analysis.lanes.isEmpty { sections.append(lanes) }
    if !analysis.criticalPath.isEmpty { sections.append(criticalPath) }
    if let advice {
      sections.append(Prose.wrap(advice.replacing("\u{A0}", with: ""), to: style.textWidth))
    }
    if !analysis.repeated.isEmpty { sections.append(repeated) }
    if !record.steps.isEmpty {
      sections.append(StepTable(record: record, analysis: analysis, style: style).text)
    }
    return sections.joined(separator: "\n\n")
  }

  private var summary: String {
    let gaps = analysis.dispatchGaps
    let waiting = analysis.dependencyWait.addingClamped(analysis.queueWait)
    var rows = [
      ["makespan", analysis.makespan.durationText, "from the start to the last completion"],
      ["work", analysis.work.durationText, "of threads, \(share(analysis.work))"],
      [
        "waiting", waiting.durationText,
        "all steps together: for dependencies \(analysis.dependencyWait.durationText), "
          + "in queues \(analysis.queueWait.durationText)",
      ],
      ["blocked", analysis.blocked.durationText, "threads that waited and could do nothing else"],
      [
        "dispatch gaps", gaps.total.durationText,
        gaps.count == 0
          ? "a step was ready, a worker was free, and nothing ran"
          : "in \(gaps.count), up to \(gaps.longest.durationText): a step was ready, a worker was free, "
            + "and nothing ran",
      ],
      ["idle", analysis.idle.durationText, "\(share(analysis.idle)), with no step in flight"],
      [
        "concurrency", decimal(analysis.meanConcurrency),
        "on average, at most \(analysis.maxConcurrency)",
      ],
    ]
    if let recording = analysis.recording, let overhead = record.overhead {
      rows.append([
        "recording", Int64(nearest: recording).durationText,
        "\(analysis.events) events, \(Int64(nearest: overhead).durationText) each; all times here include it",
      ])
    }
    if record.dropped > 0 {
      rows.append(["lost", "\(record.dropped)", "events, so all of this may be wrong"])
    }
    return "Where the time went:\n" + table(["", "", ""], rows)
  }

  private var lanes: String {
    let rows = analysis.lanes.map { lane in
      [
        lane.lane, lane.work.durationText, percent(lane.work), lane.blocked.durationText,
        percent(lane.blocked),
        lane.idle.durationText, percent(lane.idle),
      ]
    }
    return "Lanes:\n" + table(["lane", "work", "", "blocked", "", "idle", ""], rows)
  }

  // MARK: - The critical path

  private var criticalPath: String {
    let time = analysis.criticalPath.reduce(Int64(0)) { $0.addingClamped($1.time) }
    let delays = analysis.criticalPath.reduce(Int64(0)) {
      $0.addingClamped($1.handOver?.delay ?? 0)
    }
    var heading = "Critical path: steps \(time.durationText), \(share(time))"
    if delays > 0 { heading += "; hand-overs \(delays.durationText), \(share(delays))" }
    if analysis.lead > 0 { heading += "; before it \(analysis.lead.durationText)" }
    if analysis.tail > 0 { heading += "; after it \(analysis.tail.durationText)" }
    var rows = stretches.map(row)
    let (first, last) = (24, 8)
    if rows.count > first + last + 1 {
      let left = rows.count - first - last
      rows[first..<(rows.count - last)] = [["", "… \(left) more", "", "", ""]]
    }
    return Prose.wrap(heading, to: style.textWidth) + "\n"
      + table(
        ["at", "step", "time", "share", "cause"], rows, shortened: 1)
  }

  /// The steps of the path, in groups: more than three consecutive repetitions of one step form a group.
  private var stretches: [ArraySlice<CriticalStep>] {
    let steps = analysis.criticalPath
    var result: [ArraySlice<CriticalStep>] = []
    for index in steps.indices {
      if let last = result.last, let end = last.last, end.path.stem == steps[index].path.stem,
        end.path != steps[index].path,
        last.count == 1 || end.handOver?.kind == steps[index].handOver?.kind
      {
        result[result.count - 1] = steps[last.startIndex...index]
      } else {
        result.append(steps[index...index])
      }
    }
    return result.flatMap { $0.count > 3 ? [$0] : $0.indices.map { steps[$0...$0] } }
  }

  private func row(_ steps: ArraySlice<CriticalStep>) -> [String] {
    guard let first = steps.first, let last = steps.last else { return [] }
    let total = steps.reduce(Int64(0)) { $0.addingClamped($1.time) }
    var why =
      first.handOver.map { sentence($0, of: first.path) }
      ?? (steps.startIndex == 0 ? "first" : starter(of: first))
    if steps.count > 1, let kind = last.handOver?.kind {
      let delays = steps.dropFirst().reduce(Int64(0)) {
        $0.addingClamped($1.handOver?.delay ?? 0)
      }
      why += "; then each \(kind.preposition) the one before"
      if delays > 0 { why += ", \(delays.durationText) in all" }
    }
    return [
      first.from == 0 ? "0" : first.from.durationText,
      steps.count == 1
        ? record.steps[first.step].numberedPath
        : "\(first.path) \(style.ellipsis) \(last.path) (\(steps.count))",
      total.durationText, percent(total), why,
    ]
  }

  /// The pattern that started a step.
  private func starter(of step: CriticalStep) -> String {
    let pattern = record.steps[step.step].parent
    return pattern.map { "started by \(short(record.steps[$0].path))" } ?? ""
  }

  private func sentence(_ handOver: HandOver, of path: String) -> String {
    let (from, to) = (short(handOver.from), short(handOver.to))
    var text =
      switch handOver.kind {
      case .woke where handOver.to == path: "woken by \(from)"
      case .woke: "\(from) woke \(to)"
      case .queue where handOver.before == .end: "later queued behind \(from)"
      default: (handOver.to == path ? "" : "\(to) ") + "\(handOver.kind.preposition) \(from)"
      }
    if handOver.delay > 0 {
      text += ", \(handOver.delay.durationText) later"
      text += handOver.pause.map { " (\($0.text))" } ?? ""
    }
    return text
  }

  /// The path, shortened so that it fits in a sentence.
  private func short(_ path: String) -> String {
    style.textWidth.map { path.shortened(to: max($0 / 3, 24), style.ellipsis) } ?? path
  }

  // MARK: - What is repeated

  private var repeated: String {
    let rows = analysis.repeated.map { family in
      [
        "\(family.name) × \(family.count)"
          + (family.groups > 1 ? " in \(family.groups) groups" : ""),
        family.p50.durationText, family.p95.durationText, family.p99.durationText,
        family.max.durationText,
        family.min == family.max ? "" : Sparkline.text(family.shape, style: glyphs),
      ]
    }
    let shown = 40
    var text =
      "Repeated:\n"
      + table(
        ["step", "p50", "p95", "p99", "max", ""], Array(rows.prefix(shown)), shortened: 0)
    if rows.count > shown { text += "\n  … and \(rows.count - shown) more" }
    return text
  }

  // MARK: - Words

  private func table(
    _ columns: [String], _ rows: [[String]], shortened column: Int? = nil
  ) -> String {
    let columns =
      columns.contains { !$0.isEmpty } ? ["  " + columns[0]] + columns.dropFirst() : columns
    let rows = rows.map { ["  " + $0[0]] + $0.dropFirst() }
    let shortened = column.map { (column: $0, sign: style.ellipsis) }
    return TextTable(columns: columns, rows: rows, shortened: shortened)
      .text(width: style.textWidth)
  }

  private func percent(_ nanoseconds: Int64) -> String {
    "\(Int((analysis.share(of: nanoseconds) * 100).rounded()))%"
  }

  private func share(_ nanoseconds: Int64) -> String {
    "\(percent(nanoseconds)) of the makespan"
  }

  private func decimal(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    if hundredths % 100 == 0 { return "\(hundredths / 100)" }
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

extension HandOver.Kind {
  var preposition: String {
    switch self {
    case .dependency: "after"
    case .permit: "got the permit of"
    case .woke: "woken by"
    case .resolvedBy: "resolved by"
    case .spawned: "started by"
    case .queue: "queued behind"
    }
  }
}

extension HandOver.Pause {
  var text: String {
    switch self {
    case .timer: "a timer"
    case .worker: "no worker was free"
    case .dispatch: "dispatch"
    }
  }
}

extension String {
  /// The path without the number at its end.
  fileprivate var stem: Substring {
    var rest = Substring(self)
    while let last = rest.last, last.isASCII, last.isNumber { rest.removeLast() }
    return rest
  }
}

extension RunRecord {
  /// The remark on a run whose causes were inferred.
  static let inferredCauses =
    "The causes were inferred from the threads and arrows of the imported trace."
}
