internal import AsyncPatterns

/// Slices as they begin and end, on threads and on tracks of their own.
extension ChromeProcessAssembly {
  /// A slice whose end is known.
  mutating func complete(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> UInt32? {
    let duration = max(event.duration ?? 0, 0)
    var end = time.addingClamped(duration)
    var thread = thread(event.thread, names)
    threads[event.thread]?.open = []
    defer { threads[event.thread] = thread }
    ChromeProcessAssembly.close(&thread.open, upTo: time)
    if !isOwn { end = Self.unrounded(end, in: thread.open) }
    if case .step(let step)? = event.arguments {
      switch names[event.category] {
      case "blocked":
        park(step, from: time, to: end, on: thread.lane)
        return nil
      case "wake-up": wake(step, at: time, on: thread.lane)
      case "skipped": submit(step, step.label ?? names[event.name], on: thread.lane)
      default:
        submit(step, step.label ?? names[event.name], on: thread.lane)
        start(step, at: time, on: thread.lane)
        finish(step, at: end, on: thread.lane)
      }
      thread.open.append(Open(span: step.span, end: end, name: event.name))
      return step.span
    }
    let span = startForeign(event, in: thread.open, on: thread.lane, at: time, names)
    follow(span, in: &thread.open, on: thread.lane, at: time)
    // Of what ends at an instant, what began last ends first; and all of it before anything begins there.
    let order = duration > 0 ? -drafts.count : drafts.count
    add(
      .finished(Span(id: span), .success, at: Instant(nanoseconds: end)), on: thread.lane,
      order: order)
    foreignTimes[span]?.finished = end
    thread.open.append(Open(span: span, end: end, name: event.name))
    take(&thread.awaited, to: span, on: thread.lane, at: time)
    return span
  }

  /// A slice whose end is told later.
  mutating func begin(_ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names) -> UInt32 {
    var thread = thread(event.thread, names)
    threads[event.thread]?.open = []
    defer { threads[event.thread] = thread }
    ChromeProcessAssembly.close(&thread.open, upTo: time)
    let span = startForeign(event, in: thread.open, on: thread.lane, at: time, names)
    follow(span, in: &thread.open, on: thread.lane, at: time)
    thread.open.append(Open(span: span, end: nil, name: event.name))
    thread.begun += 1
    take(&thread.awaited, to: span, on: thread.lane, at: time)
    return span
  }

  /// The end of the slice that its thread began last; false if there is none.
  mutating func end(_ event: ChromeEvent, at time: Int64) -> Bool {
    guard var thread = threads[event.thread], thread.begun > 0,
      let index = thread.open.lastIndex(where: { $0.end == nil })
    else { return false }
    threads[event.thread]?.open = []
    defer { threads[event.thread] = thread }
    let span = thread.open[index].span
    thread.open.removeSubrange(index...)
    thread.begun -= 1
    finishForeign(span, at: time, on: thread.lane)
    return true
  }

  /// The slice of a thread that goes on at a time, if there is one.
  mutating func enclosing(_ identity: Int32, at time: Int64) -> UInt32? {
    guard threads[identity] != nil else { return nil }
    while let end = threads[identity]?.open.last?.end, end < time {
      threads[identity]?.open.removeLast()
    }
    return threads[identity]?.open.last?.span
  }

  /// An end as it is told, or that of the slice around it where rounding has put it just after that.
  private static func unrounded(_ end: Int64, in open: [Open]) -> Int64 {
    guard let outer = open.last?.end, end > outer, end.subtractingClamped(outer) <= 1000 else {
      return end
    }
    return outer
  }

  private static func close(_ open: inout [Open], upTo time: Int64) {
    while let end = open.last?.end, end <= time { open.removeLast() }
  }

  // MARK: Slices of their own tracks

  mutating func beginTrack(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> UInt32? {
    let lane = thread(event.thread, names).lane
    let key = TrackKey(category: event.category, identity: event.identity)
    if case .step(let step)? = event.arguments {
      switch names[event.category] {
      case "blocked":
        add(
          .blocked(Span(id: step.span), at: Instant(nanoseconds: time)), on: lane,
          order: step.order.first ?? .max)
      case "wake-up": wake(step, at: time, on: lane)
      case "queued" where step.queued != nil: queue(step, from: time, on: lane)
      // Of what never started it is the wait that tells.
      case "queued", "skipped": submit(step, step.label ?? names[event.name], on: lane)
      default:
        submit(step, step.label ?? names[event.name], on: lane)
        start(step, at: time, on: lane)
      }
      tracks[key, default: []].append(
        Open(span: step.span, end: nil, name: event.name, own: step))
      return step.span
    }
    // How long a step waited, which its submission tells, too.
    if isOwn, names[event.category] == "queued" { return nil }
    let span = startForeign(event, in: tracks[key] ?? [], on: lane, at: time, names)
    tracks[key, default: []].append(Open(span: span, end: nil, name: event.name))
    return span
  }

  mutating func endTrack(
    _ event: ChromeEvent, at time: Int64, _ names: ChromeEvent.Names
  ) -> Bool {
    let key = TrackKey(category: event.category, identity: event.identity)
    // The innermost of that name, as far as anybody nests them.
    guard var open = tracks.removeValue(forKey: key), !open.isEmpty else {
      return isOwn
    }
    let ended = open.remove(
      at: open.suffix(64).lastIndex { $0.name == event.name } ?? open.count - 1)
    if !open.isEmpty { tracks[key] = open }
    let lane = thread(event.thread, names).lane
    if let step = ended.own {
      switch names[event.category] {
      case "blocked":
        guard step.outcome != .unfinished else { break }
        add(
          .unblocked(Span(id: step.span), at: Instant(nanoseconds: time)), on: lane,
          order: step.order.dropFirst().first ?? .min)
      // It may have ended without having started.
      case "queued" where step.queued == nil && step.order.count > 1:
        finish(step, at: time, on: lane)
      case "wake-up", "skipped", "queued": break
      default: finish(step, at: time, on: lane)
      }
    } else {
      finishForeign(ended.span, at: time, on: lane)
    }
    return true
  }
}
