package import TraceBasics

/// Runs and comparisons as one page of HTML: timelines with zoom, critical paths, findings, tables.
///
/// The page contains everything it needs and loads nothing. It therefore works from the file system, in an e-mail and
/// without a network. Its numbers are those of the records' JSON, which the page contains unchanged. The same runs give
/// the same bytes.
public struct HTMLReport: Sendable {
  /// Warm-up runs are not shown.
  public var runs: [SavedRun]
  public var comparisons: [Comparison]

  /// The maximum number of steps in all repetitions of runs together. The first run of each name is always included.
  static let mostRepeatedSteps = 200_000
  /// How many findings of a run the page marks and explains.
  static let mostFindings = 50

  public init(runs: [SavedRun], comparisons: [Comparison] = []) {
    self.runs = runs
    self.comparisons = comparisons
  }

  /// The page.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public var html: String {
    var output = TextOutput()
    write(to: &output)
    return output.text
  }

  /// Writes the page to a file, and replaces any that exists.
  ///
  /// - Throws: an error that names the file and the system's reason.
  public func write(toFile path: String) throws(SavedRunsError) {
    try SavedRuns.replace(path) { write(to: &$0) }
  }

  package func write(to output: inout TextOutput) {
    let pieces = ReportPage.skeleton
    output.append(pieces.head)
    output.append(ReportPage.style)
    output.append(pieces.body)
    output.json(isInHTML: true, data)
    output.append(pieces.tail)
    output.append(ReportPage.script)
    output.append(pieces.end)
    output.endPiece()
  }

  // MARK: Data

  /// The positions of the runs that the page shows.
  var shown: [Int] {
    var names: Set<String> = []
    var room = Self.mostRepeatedSteps
    return runs.indices.filter { index in
      guard !runs[index].isWarmUp else { return false }
      let isFirst = names.insert(runs[index].name).inserted
      let steps = max(runs[index].record.steps.count, 1)
      if !isFirst { room -= steps }
      return isFirst || room >= 0
    }
  }

  private func data(_ writer: inout JSONWriter) {
    let shown = shown
    writer.object { writer in
      writer.field("left_out", runs.count { !$0.isWarmUp } - shown.count)
      writer.field("most_findings", Self.mostFindings)
      writer.object("rules") { $0.rules(of: runs) }
      // One line for each run and each comparison.
      writer.list("runs", shown) { writer, index in
        writer.endLine()
        writer.reported(runs[index], number: index + 1)
      }
      writer.list("comparisons", comparisons) { writer, comparison in
        writer.endLine()
        writer.object { writer in
          writer.key("record")
          writer.comparison(comparison)
          writer.list("values", comparison.rows) { writer, row in
            writer.array { writer in for value in row.values { writer.integer(value) } }
          }
          // Positions among the runs that the page contains.
          writer.list("typical", positions(of: comparison.typical, among: shown)) {
            writer, position in
            if let position { writer.integer(position) } else { writer.null() }
          }
        }
      }
    }
  }

  /// The positions of records among the runs that are shown. Equal records get different positions where possible.
  private func positions(of records: [RunRecord?], among shown: [Int]) -> [Int?] {
    var taken: Set<Int> = []
    return records.map { record in
      let equal = shown.indices.filter { runs[shown[$0]].record == record }
      let position = equal.first { !taken.contains($0) } ?? equal.first
      if let position { taken.insert(position) }
      return position
    }
  }
}

extension JSONWriter {
  /// Writes the rules that the runs broke.
  fileprivate mutating func rules(of runs: [SavedRun]) {
    let used = Set(runs.lazy.flatMap(\.record.lints).map(\.rule))
    for rule in used.sorted() {
      guard let guide = LintRule.named(rule) else { continue }
      key(named: rule)
      object { writer in
        writer.field("meaning", guide.explanation)
        writer.field("fix", guide.fix)
        writer.field("page", guide.page)
      }
    }
  }

  /// Writes a row with the same contents as in the terminal and the other pictures.
  private mutating func fields(of row: TimelineRow) {
    field("label", row.label)
    if let step = row.steps.first { field("step", step) }
    field("depth", row.depth)
    field("note", row.note)
    field("ink", row.ink.rawValue)
    if row.isCritical { field("critical", true) }
    // Stretches that cover others come last.
    let stretches = row.stretches.all.sorted { $0.kind.rawValue < $1.kind.rawValue }
    list("stretches", stretches) { writer, stretch in
      writer.array { writer in
        writer.string(stretch.kind.name)
        writer.integer(stretch.from)
        writer.integer(stretch.to)
        if let caption = stretch.caption { writer.string(caption) }
      }
    }
    let timeouts = row.marks.filter { $0.kind == .timeout }
    if !timeouts.isEmpty { list("timeouts", timeouts) { $0.integer($1.time) } }
    let findings = row.marks.compactMap { mark in
      if case .finding(let number) = mark.kind { (number, mark.time) } else { nil }
    }
    guard !findings.isEmpty else { return }
    list("findings", findings) { writer, finding in
      writer.array { writer in
        writer.integer(Int64(finding.0))
        writer.integer(finding.1)
      }
    }
  }

  fileprivate mutating func reported(_ run: SavedRun, number: Int) {
    let pictured = PicturedRun(run)
    object { writer in
      writer.field("number", number)
      writer.field("name", run.name)
      // Browsers cannot represent all 64-bit integers when they read JSON.
      writer.field("seed", String(run.record.seed))
      writer.field("source", run.source)
      writer.field("composition", run.composition)
      if let workers = run.workers { writer.field("workers", workers) }
      writer.field("advice", pictured.advice)
      // The critical path. Delays have no step.
      let chain = pictured.chain
      writer.objects("chain", zip(chain, chain.names)) { writer, item in
        let (item, name) = item
        writer.field("name", name)
        writer.field("duration_ns", item.time)
        guard let part = item.part else { return }
        writer.field("step", part.step)
        guard let source = item.source else { return }
        writer.field("source", source)
        writer.field("reason", part.reason?.words)
      }
      let rows = TimelineRows(run.record, height: .max, findings: HTMLReport.mostFindings)
      writer.objects("rows", rows.rows) { $0.fields(of: $1) }
      writer.objects("arrows", rows.arrows) { writer, arrow in
        writer.field("from_row", arrow.from)
        writer.field("to_row", arrow.to)
        writer.field("reason", arrow.reason.words)
        writer.field("end_ns", arrow.end)
        writer.field("start_ns", arrow.start)
      }
      writer.list("slack_ns", pictured.slack) { writer, slack in
        if let slack { writer.integer(slack) } else { writer.null() }
      }
      writer.list("waited_for", pictured.waitedFor) { writer, wait in
        guard let wait else { return writer.null() }
        writer.array { writer in
          writer.integer(wait.step)
          writer.string(wait.reason.words)
        }
      }
      let timeline = LaneTimeline(run)
      let lanes = zip(timeline.lanes, TimelineRows(timeline, height: .max).rows)
      writer.objects("lanes", lanes) { writer, lane in
        writer.fields(of: lane.0.use)
        writer.fields(of: lane.1)
      }
      // Which counters of the record form one line in a picture.
      writer.objects("counter_lines", CounterLine.lines(of: run.record.counters)) { writer, line in
        writer.field("title", line.title)
        writer.list("counters", line.counters) { $0.integer($1) }
      }
      writer.key("record")
      writer.run(run.record)
    }
  }
}

extension TimelineRow.Kind {
  /// Its name in the data of the page.
  fileprivate var name: String {
    switch self {
    case .wait: "wait"
    case .delay: "delay"
    case .run: "run"
    case .cancelled: "cancelled"
    case .keptRunning: "kept-running"
    case .blocked: "blocked"
    }
  }
}
