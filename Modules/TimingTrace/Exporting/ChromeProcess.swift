internal import AsyncPatterns

/// Writes one run as a process of a trace. A class, since closures that write have it by the thousand.
final class ChromeProcess {
  let number: Int
  /// The number of its first row's thread.
  let firstThread: Int
  let layout: ChromeLayout
  private let run: ExportedRun

  init(number: Int, firstThread: Int, layout: ChromeLayout) {
    self.number = number
    self.firstThread = firstThread
    self.layout = layout
    run = layout.run
  }

  /// - Parameter identities: counts what needs an identity, over all runs of a trace.
  func write(to writer: inout JSONWriter, identities: inout Int) {
    event(.metadata, "process_name", row: 0, to: &writer) {
      $0.arguments { $0.field("name", run.name.withoutControlCharacters) }
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
    for node in run.table.nodes.indices { writeWait(of: node, to: &writer, &identities) }
    let titles = counterTitles
    for (position, event) in run.run.events.enumerated() {
      switch event.kind {
      case .counter: write(event, titles, at: position, to: &writer)
      case .mark where !event.isLaneName, .misuse: write(event, at: position, to: &writer)
      case .queued: writeWait(event, at: position, to: &writer, &identities)
      default: break
      }
    }
  }

  // MARK: Counters

  private struct CounterKey: Hashable {
    let node: Int?
    let name: String
  }

  /// The names of the lines that the timeline draws: Perfetto puts what has one name in one track, and two steps
  /// that record at the same time would zigzag in it.
  private var counterTitles: [CounterKey: String] {
    var titles: [CounterKey: String] = [:]
    for line in CounterLine.lines(of: run.layout.counters) {
      for position in line.counters {
        let counter = run.table.counters[position]
        titles[CounterKey(node: counter.node, name: counter.name)] = line.title
      }
    }
    return titles
  }

  /// Whose counter it is stands beside the arguments, each of which would be a track of its own.
  private func write(
    _ counter: TraceEvent, _ titles: [CounterKey: String], at position: Int,
    to writer: inout JSONWriter
  ) {
    guard counter.number.isFinite else { return }
    let key = CounterKey(node: run.table[counter.span], name: counter.name)
    let (title, time) = (titles[key] ?? counter.name, run.relative(counter.time.nanoseconds))
    let row = layout.rows.first(of: counter.lane)
    event(.counter, title, row: row, at: time, to: &writer) { writer in
      writer.field("span", counter.span.id)
      writer.field("order", position)
      if title != counter.name {
        writer.field("counter", counter.name.withoutControlCharacters)
      }
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
        let edge = run.edges[Int(end.edge)]
        event(
          end.isStart ? .arrowStart : .arrowEnd, EdgeRecord.Kind(edge.kind).rawValue,
          row: slice.row, at: from, to: &writer
        ) { writer in
          writer.field("cat", "edge")
          writer.field("id", layout.firstIdentity + Int(end.edge))
          if !end.isStart { writer.field("bp", "e") }
          writer.arguments { writer in
            guard !end.isStart else { return }
            writer.field("order", edge.position)
            // What it let go on may have waited for a worker then, or never have started.
            if edge.time != slice.from { writer.field("let_go_on_ns", run.relative(edge.time)) }
          }
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
    let label = slice.node.map { run.table.nodes[$0].label } ?? ""
    return switch slice.kind {
    case .step: (label, "step")
    case .skipped: (label, "skipped")
    case .blocked: ("blocked", "blocked")
    case .wakeUp: (EdgeRecord.Kind(run.edges[slice.index].kind).rawValue, "wake-up")
    }
  }

  private func describe(_ slice: ChromeLayout.Slice, to writer: inout JSONWriter) {
    writer.arguments { writer in
      switch slice.kind {
      case .step, .skipped: if let node = slice.node { describe(node, to: &writer) }
      case .blocked, .wakeUp:
        writer.field("span", slice.node.map { run.table.nodes[$0].span.id } ?? 0)
        writer.field("step", run.layout.path(of: slice.node).withoutControlCharacters)
        if slice.kind == .blocked { describe(run.blocked[slice.index], to: &writer) }
      }
    }
  }

  private func describe(_ blocked: BlockedLanes.Interval, to writer: inout JSONWriter) {
    if blocked.isOpen { writer.field("outcome", StepRecord.Outcome.unfinished.rawValue) }
    writer.key("order")
    writer.array { writer in
      writer.integer(blocked.position)
      if !blocked.isOpen { writer.integer(blocked.endPosition) }
    }
  }

  /// - Parameter isNamed: whether the event has its label for a name.
  private func describe(_ index: Int, isNamed: Bool = true, to writer: inout JSONWriter) {
    let node = run.table.nodes[index]
    writer.field("span", node.span.id)
    // Names are kept on one line.
    if !isNamed || node.label != node.label.withoutControlCharacters {
      writer.field("label", node.label.withoutNumberedEscapes)
    }
    if let parent = node.parent { writer.field("parent", run.table.nodes[parent].span.id) }
    writer.field("pattern", node.kind.withoutControlCharacters)
    if let group = node.group { writer.field("list", group.withoutControlCharacters) }
    writer.field("submitted_ns", run.relative(node.submitted))
    writer.field("outcome", run.outcome(of: index).rawValue)
    if !node.reason.isEmpty { writer.field("error", node.reason.withoutNumberedEscapes) }
    if node.work > 0 { writer.field("work_ns", node.work) }
    if node.blocked > 0 { writer.field("blocked_ns", node.blocked) }
    if let wait = run.table.endWait(of: index) { writer.field("late_ns", wait.length) }
    if let lane = node.finishLane, lane != run.lane(of: index) {
      writer.field("finish_lane", run.table.lanes.name(of: lane))
    }
    for (name, bit) in TraceEvent.Ending.chromeNames where node.ending.contains(bit) {
      writer.key(named: name)
      writer.bool(true)
    }
    writer.key("order")
    writer.array { writer in
      writer.integer(node.submitPosition)
      if node.started != nil { writer.integer(node.startPosition) }
      if node.finished != nil { writer.integer(node.finishPosition) }
    }
  }

  /// The time from when a pattern got a step to when its turn came, or to the end if it never did.
  private func writeWait(of index: Int, to writer: inout JSONWriter, _ identities: inout Int) {
    let node = run.table.nodes[index]
    let until = node.started ?? node.finished ?? run.end
    guard until > node.submitted || node.started == nil else { return }
    identities += 1
    let identity = identities
    let row = layout.rows.first(of: run.lane(of: index))
    event(.begin, "queued", row: row, at: run.relative(node.submitted), to: &writer) { writer in
      writer.field("cat", "queued")
      writer.identity(identity)
      writer.arguments { writer in
        writer.field("step", run.layout.path(of: index).withoutControlCharacters)
        if node.started == nil {
          describe(index, isNamed: false, to: &writer)
        }
      }
    }
    event(.end, "queued", row: row, at: run.relative(until), to: &writer) { writer in
      writer.field("cat", "queued")
      writer.identity(identity)
    }
  }

  /// The time for which a step that had started waited for a lane.
  private func writeWait(
    _ event: TraceEvent, at position: Int, to writer: inout JSONWriter, _ identities: inout Int
  ) {
    identities += 1
    let identity = identities
    let length = max(Int64(exactly: event.number.rounded()) ?? 0, 0)
    let (row, end) = (layout.rows.first(of: event.lane), run.relative(event.time.nanoseconds))
    let from = end.subtractingClamped(length)
    self.event(.begin, "queued", row: row, at: from, to: &writer) { writer in
      writer.field("cat", "queued")
      writer.identity(identity)
      writer.arguments { writer in
        writer.field("span", event.span.id)
        writer.field("step", run.layout.path(of: run.table[event.span]).withoutControlCharacters)
        writer.field("queued_ns", length)
        writer.field("order", position)
      }
    }
    self.event(.end, "queued", row: row, at: end, to: &writer) { writer in
      writer.field("cat", "queued")
      writer.identity(identity)
    }
  }

  private func write(_ mark: TraceEvent, at position: Int, to writer: inout JSONWriter) {
    let row = layout.rows.first(of: mark.lane)
    let time = run.relative(mark.time.nanoseconds)
    event(.instant, mark.name, row: row, at: time, to: &writer) { writer in
      writer.field("cat", mark.kind == .misuse ? "misuse" : "mark")
      writer.field("s", "t")
      writer.arguments { writer in
        writer.field("detail", mark.detail.withoutNumberedEscapes)
        writer.field("span", mark.span.id)
        writer.field("order", position)
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
    writer.breakLine()
  }
}

extension JSONWriter {
  fileprivate mutating func arguments(_ body: (inout JSONWriter) -> Void) {
    key("args")
    object(body)
  }

  /// The identity of something that stands in no row, in hexadecimal.
  fileprivate mutating func identity(_ number: Int) {
    field("id", "0x" + String(number, radix: 16))
  }

  /// Microseconds, with three decimals so that no nanosecond is lost.
  fileprivate mutating func time(_ name: StaticString, _ nanoseconds: Int64) {
    key(name)
    microseconds(nanoseconds)
  }
}

extension String {
  /// On one line, and without what `withoutNumberedEscapes` leaves out: for names.
  var withoutControlCharacters: String { replacing { $0 < 0x20 } }

  /// Perfetto does not read the `\u` that most control characters would need.
  var withoutNumberedEscapes: String {
    replacing { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
  }

  private func replacing(_ isUnwanted: (UInt8) -> Bool) -> String {
    guard utf8.contains(where: isUnwanted) else { return self }
    return String(decoding: utf8.map { isUnwanted($0) ? 0x20 : $0 }, as: UTF8.self)
  }
}
