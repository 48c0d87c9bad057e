internal import TraceBasics

/// Writes one run as a process of a trace. It is a class because thousands of closures capture it.
final class ChromeProcess {
  let number: Int
  /// The number of its first row's thread.
  let firstThread: Int
  let layout: ChromeLayout
  private let run: TraceReading

  init(number: Int, firstThread: Int, layout: ChromeLayout) {
    self.number = number
    self.firstThread = firstThread
    self.layout = layout
    run = layout.run
  }

  /// - Parameter identities: the number of identities used so far, over all runs of a trace.
  func write(to writer: inout JSONWriter, identities: inout Int) {
    event(.metadata, "process_name", row: 0, to: &writer) {
      $0.arguments { $0.field("name", run.record.name.withoutControlCharacters) }
    }
    for (index, row) in layout.rows.names.enumerated() {
      event(.metadata, "thread_name", row: index, to: &writer) {
        $0.arguments { $0.field("name", row.withoutControlCharacters) }
      }
      event(.metadata, "thread_sort_index", row: index, to: &writer) {
        $0.arguments { $0.field("sort_index", index) }
      }
    }
    for slice in layout.slices { write(slice, to: &writer) }
    for (index, node) in run.table.nodes.enumerated() where !node.isPlace {
      // The time from submission by the pattern to the start of the step, or to its end if it never started.
      let until = run.table.startTime(of: index) ?? run.table.finishTime(of: index) ?? run.end
      guard until > run.table.submitTime(of: index) else { continue }
      identities += 1
      writeWait(
        of: index, on: run.lane(of: index), from: run.table.submitTime(of: index), to: until,
        identities, nil,
        to: &writer)
    }
    for wait in run.table.laneWaits {
      identities += 1
      writeWait(
        of: wait.node, on: wait.lane, from: wait.from, to: wait.to, identities,
        wait.ender.map { "\(run.quoted($0)) held the lane" }, to: &writer)
    }
    let titles = counterTitles
    for event in run.events {
      switch event.kind {
      case .counter: write(event, titles, to: &writer)
      case .mark where !event.isLaneName, .misuse: write(event, to: &writer)
      default: break
      }
    }
  }

  // MARK: Counters

  private struct CounterKey: Hashable {
    let node: Int?
    let name: String
  }

  /// The titles of the lines that the timeline draws. Perfetto puts counters with one name in one track. The values of
  /// two steps that record at the same time would zigzag there.
  private var counterTitles: [CounterKey: String] {
    // The record also has derived counters, which have no events.
    let counters = run.table.counters
    let recorded = counters.map { counter in
      CounterRecord(
        name: counter.name, step: counter.node.map { run.name(of: $0) } ?? "",
        points: counter.points.map { .init(time: $0.time, value: $0.value) })
    }
    var titles: [CounterKey: String] = [:]
    for line in CounterLine.lines(of: recorded) {
      for position in line.counters {
        let counter = counters[position]
        titles[CounterKey(node: counter.node, name: counter.name)] = line.title
      }
    }
    return titles
  }

  private func write(
    _ counter: TraceEvent, _ titles: [CounterKey: String], to writer: inout JSONWriter
  ) {
    guard counter.number.isFinite else { return }
    let key = CounterKey(node: run.table[counter.span], name: counter.name)
    let (title, time) = (titles[key] ?? counter.name, run.relative(counter.time.nanoseconds))
    let row = layout.rows.first(of: counter.lane)
    event(.counter, title, row: row, at: time, to: &writer) { writer in
      writer.arguments { $0.field("value", counter.number) }
    }
  }

  // MARK: Slices

  private func write(_ slice: ChromeLayout.Slice, to writer: inout JSONWriter) {
    let (from, to) = (run.relative(slice.from), run.relative(slice.to))
    let (name, category) = title(of: slice)
    guard let own = slice.ownTrack else {
      event(.complete, name, row: slice.row, at: from, to: &writer) { writer in
        writer.field("cat", category)
        writer.time("dur", to.subtractingClamped(from))
        describe(slice, to: &writer)
      }
      layout.forEachArrow(of: slice) { end in
        let edge = layout.edges[Int(end.edge)]
        event(
          end.isStart ? .arrowStart : .arrowEnd, edge.kind.rawValue,
          row: slice.row, at: run.relative(layout.time(of: end, at: slice)), to: &writer
        ) { writer in
          writer.field("cat", "edge")
          writer.field("id", layout.firstIdentity + Int(end.edge))
          if !end.isStart { writer.field("bp", "e") }
        }
      }
      return
    }
    event(.begin, name, row: slice.row, at: from, to: &writer) { writer in
      writer.field("cat", category)
      writer.identity(own)
      describe(slice, to: &writer)
    }
    event(.end, name, row: slice.row, at: to, to: &writer) { writer in
      writer.field("cat", category)
      writer.identity(own)
    }
  }

  private func title(of slice: ChromeLayout.Slice) -> (name: String, category: String) {
    let label = slice.node.map { run.table.label(of: $0) } ?? ""
    return switch slice.kind {
    case .step: (label, "step")
    case .run: (label, "run")
    case .skipped: (label, "skipped")
    case .blocked: ("blocked", "blocked")
    case .wakeUp: (layout.edges[slice.index].kind.rawValue, "wake-up")
    }
  }

  private func describe(_ slice: ChromeLayout.Slice, to writer: inout JSONWriter) {
    writer.arguments { writer in
      writer.field("step", layout.path(of: slice.node))
      switch slice.kind {
      case .run:
        let executor = run.table.tasks.runs[slice.index].executor
        writer.cause("on", executor.map { run.table.label(of: $0) })
      case .step, .skipped: if let node = slice.node { describe(node, to: &writer) }
      case .blocked:
        writer.cause(
          "end_cause",
          run.table.blocking.intervals[slice.index].ender.map { "\(run.quoted($0)) woke it" })
      case .wakeUp: writer.cause("cause", run.quoted(layout.edges[slice.index].from))
      }
    }
  }

  private func describe(_ index: Int, to writer: inout JSONWriter) {
    let node = run.table.nodes[index]
    writer.field("pattern", run.table.kind(of: index).withoutControlCharacters)
    writer.field("outcome", run.outcome(of: index).rawValue)
    if let reason = node.details?.reason, !reason.isEmpty {
      writer.field("error", reason.withoutNumberedEscapes)
    }
    if node.work > 0 { writer.field("work_ns", node.work) }
    if let blocked = node.details?.blocked, blocked > 0 { writer.field("blocked_ns", blocked) }
    let late = run.table.lateness(of: index)
    if late > 0 { writer.field("late_ns", late) }
    writer.cause("start_cause", run.cause(of: run.table.moments.start(of: index)))
    writer.cause("end_cause", run.cause(of: run.table.moments.finish(of: index)))
  }

  /// Writes a time in which a step was queued.
  private func writeWait(
    of node: Int?, on lane: Lane, from: Int64, to: Int64, _ identity: Int, _ cause: String?,
    to writer: inout JSONWriter
  ) {
    let row = layout.rows.first(of: lane)
    event(.begin, "queued", row: row, at: run.relative(from), to: &writer) { writer in
      writer.field("cat", "queued")
      writer.identity(identity)
      writer.arguments { writer in
        writer.field("step", layout.path(of: node))
        writer.cause("cause", cause)
      }
    }
    event(.end, "queued", row: row, at: run.relative(to), to: &writer) { writer in
      writer.field("cat", "queued")
      writer.identity(identity)
    }
  }

  private func write(_ mark: TraceEvent, to writer: inout JSONWriter) {
    let row = layout.rows.first(of: mark.lane)
    let time = run.relative(mark.time.nanoseconds)
    event(.instant, mark.name, row: row, at: time, to: &writer) { writer in
      writer.field("cat", mark.kind == .misuse ? "misuse" : "mark")
      writer.field("s", "t")
      writer.arguments { writer in
        writer.field("step", layout.path(of: run.table[mark.span]))
        writer.field("detail", mark.detail.withoutNumberedEscapes)
      }
    }
  }

  // MARK: Events

  private enum Phase: String {
    case metadata = "M"
    case complete = "X"
    case begin = "b"
    case end = "e"
    case arrowStart = "s"
    case arrowEnd = "f"
    case counter = "C"
    case instant = "i"
  }

  private func event(
    _ phase: Phase, _ name: String, row: Int, at time: Int64? = nil, to writer: inout JSONWriter,
    _ more: (inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      writer.field("ph", phase.rawValue)
      writer.field("name", name.withoutControlCharacters)
      writer.field("pid", number)
      writer.field("tid", firstThread + row)
      if let time { writer.time("ts", time) }
      more(&writer)
    }
    writer.endLine()
  }
}

extension JSONWriter {
  fileprivate mutating func arguments(_ body: (inout JSONWriter) -> Void) {
    object("args", body)
  }

  /// Writes why something happened, as readable text. Writes nothing if `text` is nil: the cause is
  /// unknown or obvious, such as the step's own code.
  fileprivate mutating func cause(_ name: StaticString, _ text: String?) {
    if let text { field(name, text.withoutControlCharacters) }
  }

  /// Writes the identity of something that has no place in a row, in hexadecimal.
  fileprivate mutating func identity(_ number: Int) {
    field("id", "0x" + String(number, radix: 16))
  }

  /// Microseconds with three decimals, which keep every nanosecond.
  fileprivate mutating func time(_ name: StaticString, _ nanoseconds: Int64) {
    key(name)
    microseconds(nanoseconds)
  }
}

extension String {
  /// The text on one line, without the characters that `withoutNumberedEscapes` removes. It is used for names and
  /// causes.
  var withoutControlCharacters: String { replacing { $0 < 0x20 } }

  /// The text without control characters that JSON writes as `\u` escapes, which Perfetto cannot read.
  var withoutNumberedEscapes: String {
    replacing { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
  }

  private func replacing(_ isUnwanted: (UInt8) -> Bool) -> String {
    guard utf8.contains(where: isUnwanted) else { return self }
    return String(decoding: utf8.map { isUnwanted($0) ? 0x20 : $0 }, as: UTF8.self)
  }
}
