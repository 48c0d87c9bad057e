/// The starts and ends of slices, on threads and on separate tracks.
extension ChromeProcessAssembly {
  /// The maximum depth of nesting; deeper slices are treated as being at this depth. Only invented traces nest so
  /// deeply.
  private static let deepest = 200

  /// Adds a slice whose end is known.
  mutating func complete(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> Span {
    let known = time.addingClamped(event.duration ?? 0)
    return begin(event, at: time, names) { open in Self.unrounded(known, in: open) }
  }

  /// Adds a slice whose end comes later in the file.
  mutating func begin(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> Span {
    let span = begin(event, at: time, names) { _ in nil }
    threads[event.thread]?.begun += 1
    return span
  }

  /// - Parameter end: computes the end of the slice from the enclosing slices. Nil if the end comes later.
  private mutating func begin(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names, end: ([Open]) -> Int64?
  ) -> Span {
    var thread = thread(event.thread, names)
    // The copy must hold the only reference to the array, so that the array is changed in place.
    threads[event.thread]?.open = []
    defer { threads[event.thread] = thread }
    while let last = thread.open.last?.end, last <= time { thread.open.removeLast() }
    let end = end(thread.open)
    let span = start(
      event, in: thread.open, after: thread.open.last?.lastPart ?? .none, on: thread.lane, at: time,
      names)
    if let outer = thread.open.indices.last { thread.open[outer].lastPart = span }
    for source in thread.arrowSources { causes.addArrow(from: source, to: span) }
    thread.arrowSources = []
    thread.open.append(Open(span: span, end: end, name: event.name))
    if let end { finish(span, at: end, on: thread.lane) }
    return span
  }

  /// Ends the slice that started last on its thread and has no end yet. Returns false if there is none.
  mutating func end(_ event: ChromeEvent, at time: Int64) -> Bool {
    guard var thread = threads[event.thread], thread.begun > 0,
      let index = thread.open.lastIndex(where: { $0.end == nil })
    else { return false }
    threads[event.thread]?.open = []
    defer { threads[event.thread] = thread }
    let span = thread.open[index].span
    thread.open.removeSubrange(index...)
    thread.begun -= 1
    finish(span, at: time, on: thread.lane)
    return true
  }

  /// The innermost slice of a thread at a time, if there is one.
  mutating func enclosing(_ identity: Int32, at time: Int64) -> Span? {
    guard threads[identity] != nil else { return nil }
    while let end = threads[identity]?.open.last?.end, end < time {
      threads[identity]?.open.removeLast()
    }
    return threads[identity]?.open.last?.span
  }

  /// The end of a slice. If rounding has placed it just after the end of the enclosing slice, returns the end of the
  /// enclosing slice.
  private static func unrounded(_ end: Int64, in open: [Open]) -> Int64 {
    guard let outer = open.last?.end, end > outer, end.subtractingClamped(outer) <= 1000 else {
      return end
    }
    return outer
  }

  private mutating func start(
    _ event: ChromeEvent, in open: [Open], after before: Span = .none, on lane: Lane,
    at time: Int64, _ names: ChromeEvent.Names
  ) -> Span {
    let span = nextSpan
    nextSpan.id += 1
    let parent = open.isEmpty ? Self.root : open[min(open.count, Self.deepest) - 1].span
    let category = names[event.category]
    let instant = Instant(nanoseconds: time)
    add(
      .submitted(
        span, in: parent, label: names[event.name], kind: category.isEmpty ? "slice" : category,
        at: instant), on: lane)
    add(.started(span, at: instant), on: lane)
    causes.start(span, after: before, at: time)
    return span
  }

  private mutating func finish(_ span: Span, at time: Int64, on lane: Lane) {
    add(.finished(span, .success, at: Instant(nanoseconds: time)), on: lane)
    causes.finish(span, at: time)
  }

  // MARK: - Slices on separate tracks

  mutating func beginTrack(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> Span {
    let lane = thread(event.thread, names).lane
    let key = TrackKey(category: event.category, identity: event.identity)
    let span = start(event, in: tracks[key] ?? [], on: lane, at: time, names)
    tracks[key, default: []].append(Open(span: span, end: nil, name: event.name))
    return span
  }

  /// Returns false if no slice is open on the track.
  mutating func endTrack(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> Bool {
    let key = TrackKey(category: event.category, identity: event.identity)
    guard var open = tracks.removeValue(forKey: key), !open.isEmpty else { return false }
    // The innermost slice with that name. Only a limited depth of nesting is searched.
    let ended = open.remove(
      at: open.suffix(64).lastIndex { $0.name == event.name } ?? open.count - 1)
    if !open.isEmpty { tracks[key] = open }
    finish(ended.span, at: time, on: thread(event.thread, names).lane)
    return true
  }

  // MARK: - Marks and counters

  mutating func mark(_ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names) {
    let lane = thread(event.thread, names).lane
    var detail = ""
    if case .detail(let text)? = event.arguments { detail = text }
    let key = TrackKey(category: event.category, identity: event.identity)
    let span =
      event.phase == UInt8(ascii: "n")
      ? tracks[key]?.last?.span : enclosing(event.thread, at: time)
    add(
      .mark(names[event.name], detail, of: span ?? .none, at: Instant(nanoseconds: time)), on: lane)
  }

  /// Counters of other programs belong to no step.
  mutating func count(_ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names) {
    guard case .numbers(let numbers)? = event.arguments else { return }
    let lane = thread(event.thread, names).lane
    let name = names[event.name]
    for (series, number) in numbers {
      let title = series == "value" || series == name ? name : "\(name) \(series)"
      add(.counter(title, number, of: .none, at: Instant(nanoseconds: time)), on: lane)
    }
  }
}
