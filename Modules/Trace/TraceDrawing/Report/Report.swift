package import TraceBasics

/// Runs and comparisons as one page of HTML: timelines to zoom into, critical paths, findings, tables.
///
/// The page holds everything it needs and loads nothing, so that it works from the file system, in a mail and
/// without a network. Its numbers are those of the records' JSON, which it carries word for word. The same runs
/// give the same bytes.
public struct Report: Sendable {
  /// Those that were warm-ups are not shown.
  public var runs: [SavedRun]
  public var comparisons: [Comparison]

  /// How many steps the repetitions of runs may have together; the first run of each name is always there.
  static let mostRepeatedSteps = 200_000

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

  /// Writes the page to a file, in place of any that is there.
  ///
  /// - Throws: an error that names the file and what the system said.
  public func write(toFile path: String) throws(SavedRunsError) {
    try SavedRuns.replace(path) { write(to: &$0) }
  }

  package func write(to output: inout TextOutput) {
    let pieces = ReportPage.skeleton
    output.append(pieces.head)
    output.append(ReportPage.style)
    output.append(pieces.body)
    writeData(to: &output)
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

  private func writeData(to output: inout TextOutput) {
    let shown = shown
    output.append("{\"left_out\":\(runs.count { !$0.isWarmUp } - shown.count),\"rules\":")
    var rules = JSONWriter()
    rules.object { writer in
      let used = Set(runs.lazy.flatMap(\.record.lints).map(\.rule))
      for rule in used.sorted() {
        guard let guide = LintRule.named(rule) else { continue }
        writer.key(named: rule)
        writer.object { writer in
          writer.field("meaning", guide.explanation)
          writer.field("way_out", guide.wayOut)
          writer.field("page", guide.page)
        }
      }
    }
    append(rules, &output)
    output.append(",\"runs\":[")
    for (count, index) in shown.enumerated() {
      if count > 0 { output.append(",") }
      // A line each, which is also where what there is may be handed on.
      output.endPiece()
      var writer = JSONWriter()
      writer.reported(runs[index], number: index + 1)
      append(writer, &output)
    }
    output.append("],\"comparisons\":[")
    for (index, comparison) in comparisons.enumerated() {
      if index > 0 { output.append(",") }
      output.endPiece()
      var writer = JSONWriter()
      writer.object { writer in
        writer.key("record")
        writer.comparison(comparison)
        writer.list("values", comparison.rows) { writer, row in
          writer.array { writer in for value in row.values { writer.integer(value) } }
        }
        // Positions among the runs that the page has.
        writer.list("typical", positions(of: comparison.typical, among: shown)) {
          writer, position in
          if let position { writer.integer(position) } else { writer.null() }
        }
      }
      append(writer, &output)
    }
    output.append("]}")
  }

  /// Where records stand among the runs that are shown; those that are equal stand in different places where they can.
  private func positions(of records: [RunRecord?], among shown: [Int]) -> [Int?] {
    var taken: Set<Int> = []
    return records.map { record in
      let equal = shown.indices.filter { runs[shown[$0]].record == record }
      let position = equal.first { !taken.contains($0) } ?? equal.first
      if let position { taken.insert(position) }
      return position
    }
  }

  /// JSON as it may stand in a page: no text in it ends the element that holds it, or begins a comment.
  private func append(_ writer: JSONWriter, _ output: inout TextOutput) {
    var text = writer.text
    text.withUTF8 { utf8 in
      for byte in utf8 {
        if byte == UInt8(ascii: "<") { output.append("\\u003c") } else { output.append(byte: byte) }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func reported(_ run: SavedRun, number: Int) {
    let pictured = PicturedRun(run)
    object { writer in
      writer.field("number", number)
      writer.field("name", run.name)
      // Who reads JSON in a browser has no integers of 64 bits.
      writer.field("seed", String(run.record.seed))
      writer.field("source", run.source)
      writer.field("composition", run.composition)
      if let workers = run.workers { writer.field("workers", workers) }
      writer.field("advice", pictured.advice)
      writer.objects("path", pictured.critical) { writer, part in
        writer.field("step", part.step)
        writer.field("label", part.label)
        writer.field("duration_ns", part.duration)
        writer.field("reason", part.reason?.words)
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
      // What a record does not say of a lane: for how long it was used, and which step held it with work when.
      writer.objects("lanes", LaneTimeline(run).lanes) { writer, lane in
        writer.fields(of: lane.use)
        writer.list("work", lane.stretches.filter { $0.kind == .work }) { writer, stretch in
          writer.array { writer in
            writer.string(stretch.step)
            writer.integer(stretch.from)
            writer.integer(stretch.to)
          }
        }
      }
      // Which counters of the record are one line in a picture.
      writer.objects("counter_lines", CounterLine.lines(of: run.record.counters)) { writer, line in
        writer.field("title", line.title)
        writer.list("counters", line.counters) { $0.integer($1) }
      }
      writer.key("record")
      writer.run(run.record)
    }
  }
}
