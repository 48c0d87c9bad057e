internal import AsyncPatterns

/// Arrows, counters and marks.
extension ChromeProcessAssembly {
  mutating func link(
    _ source: UInt32, _ target: UInt32, _ kind: EdgeRecord.Kind?, _ event: ChromeEvent,
    at time: Int64, _ names: ChromeEvent.Names
  ) {
    let lane = thread(event.thread, names).lane
    guard let kind, isOwn else {
      return foreignLinks.append(
        ForeignLink(source: source, target: target, lane: lane, time: time))
    }
    var (order, time) = (Int?.none, time)
    if case .arrow(let position, let own)? = event.arguments {
      order = position
      if let own { time = max(own, 0) }
    }
    add(
      .edge(
        TraceEvent.Edge(kind), from: Span(id: source), to: Span(id: target),
        at: Instant(nanoseconds: time)), on: lane, order: order)
  }

  /// A thread is at one thing after another: what begins within a slice comes after what began there before, and has
  /// ended.
  mutating func follow(_ span: UInt32, in open: inout [Open], on lane: Lane, at time: Int64) {
    guard let outer = open.indices.last else { return }
    if let before = open[outer].lastPart {
      turns.append(ForeignLink(source: before, target: span, lane: lane, time: time))
    }
    open[outer].lastPart = span
  }

  /// An arrow leads to whatever begins next on the thread.
  mutating func awaitNext(
    _ event: ChromeEvent, from source: UInt32, _ names: ChromeEvent.Names
  ) {
    _ = thread(event.thread, names)
    threads[event.thread]?.awaited.append((source, event))
  }

  mutating func take(
    _ awaited: inout [(source: UInt32, event: ChromeEvent)], to span: UInt32, on lane: Lane,
    at time: Int64
  ) {
    for arrow in awaited {
      foreignLinks.append(
        ForeignLink(source: arrow.source, target: span, lane: lane, time: time))
    }
    awaited = []
  }

  mutating func mark(_ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names) {
    let lane = thread(event.thread, names).lane
    let name = names[event.name]
    let instant = Instant(nanoseconds: time)
    if case .step(let step)? = event.arguments {
      let span = Span(id: step.span)
      let mark: TraceEvent =
        names[event.category] == "misuse"
        ? .misuse(name, step.detail, of: span, at: instant)
        : .mark(name, step.detail, of: span, at: instant)
      return add(mark, on: lane, order: step.order.first)
    }
    var detail = ""
    if case .detail(let text)? = event.arguments { detail = text }
    let key = TrackKey(category: event.category, identity: event.identity)
    let span =
      event.phase == UInt8(ascii: "n")
      ? tracks[key]?.last?.span : enclosing(event.thread, at: time)
    add(.mark(name, detail, of: Span(id: span ?? 0), at: instant), on: lane)
  }

  mutating func count(_ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names) {
    guard case .numbers(let numbers)? = event.arguments else { return }
    let lane = thread(event.thread, names).lane
    let name = names[event.counter == ChromeEvent.Names.none ? event.name : event.counter]
    // Older files of ours do not tell whose it is, and other programs have no steps that count.
    let span = event.span ?? ownRoot ?? 0
    for (series, number) in numbers {
      let title = series == "value" || series == name ? name : "\(name) \(series)"
      add(
        .counter(title, number, of: Span(id: span), at: Instant(nanoseconds: time)), on: lane,
        order: event.order)
    }
  }
}
