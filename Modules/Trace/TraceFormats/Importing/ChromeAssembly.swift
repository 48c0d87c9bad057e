/// Processes the events of another program's trace in time order, and assigns them to their processes.
struct ChromeAssembly {
  private(set) var processes: [ChromeProcessAssembly] = []
  private(set) var names: ChromeEvent.Names

  private var processNumbers: [Int32: Int] = [:]
  /// The slices at which arrows start, by category, identity and name.
  private var arrows: [ArrowKey: SpanReference] = [:]
  /// The same for the arrows that are part of slices (`bind_id`).
  private var bindings: [Int32: SpanReference] = [:]
  private var timeless: (count: Int, offset: Int) = (0, 0)
  private var unmatched: (count: Int, offset: Int) = (0, 0)
  private var crossing = 0

  /// A step of a process.
  struct SpanReference {
    let process: Int
    let span: Span
  }

  private struct ArrowKey: Hashable {
    let category: Int32
    let identity: Int32
    let name: Int32
  }

  init(names: ChromeEvent.Names) { self.names = names }

  /// The omitted parts of the trace, with the reasons, in whole sentences.
  var remarks: [String] {
    var remarks: [String] = []
    if timeless.count > 0 {
      remarks.append(
        "\(timeless.count) of the events have no valid time or duration, the first at byte "
          + "\(timeless.offset), and were left out.")
    }
    if unmatched.count > 0 {
      remarks.append(
        "\(unmatched.count) of the ends and arrows have no start or no slice, the first at byte "
          + "\(unmatched.offset), and were left out.")
    }
    if crossing > 0 {
      remarks.append(
        "\(crossing) of the arrows connect different processes, which become separate runs, and "
          + "were left out.")
    }
    let backward = processes.reduce(0) { $0 + $1.causes.arrowsBackward }
    if backward > 0 {
      remarks.append(
        "\(backward) of the arrows lead to slices that started earlier, and were left out.")
    }
    return remarks
  }

  mutating func add(_ events: [ChromeEvent]) {
    // Names first: metadata has no time.
    for event in events where event.phase == UInt8(ascii: "M") { addMetadata(event) }
    for index in ChromeAssembly.order(of: events) {
      let event = events[index]
      guard let time = event.time else { continue }
      add(event, at: time)
    }
    for event in events where event.time == nil && event.phase != UInt8(ascii: "M") {
      if timeless.count == 0 { timeless.offset = event.offset }
      timeless.count += 1
    }
  }

  /// The indices of the events, ordered by time. Events of the same instant keep the order of the file. However, among
  /// consecutive complete slices that start at the same instant, longer ones come first. Programs that write a slice
  /// when it ends write the inner slices first.
  private static func order(of events: [ChromeEvent]) -> [Int] {
    var order = events.indices.filter { events[$0].time != nil }
    let time = { (index: Int) in events[index].time ?? 0 }
    if !zip(order, order.dropFirst()).allSatisfy({ time($0) <= time($1) }) {
      order.sort { (time($0), $0) < (time($1), $1) }
    }
    let complete = UInt8(ascii: "X")
    var start = 0
    while start < order.count {
      var end = start + 1
      if events[order[start]].phase == complete {
        while end < order.count, time(order[end]) == time(order[start]),
          events[order[end]].phase == complete
        { end += 1 }
        if end - start > 1 {
          order[start..<end].sort { left, right in
            (events[right].duration ?? 0, left) < (events[left].duration ?? 0, right)
          }
        }
      }
      start = end
    }
    return order
  }

  private mutating func process(of event: ChromeEvent) -> Int {
    if let known = processNumbers[event.process] { return known }
    processNumbers[event.process] = processes.count
    processes.append(ChromeProcessAssembly(identity: event.process))
    return processes.count - 1
  }

  private mutating func addMetadata(_ event: ChromeEvent) {
    guard case .name(let name)? = event.arguments else { return }
    let process = process(of: event)
    switch names[event.name] {
    case "process_name": processes[process].name = name
    case "thread_name": processes[process].threadNames[event.thread] = name
    default: break
    }
  }

  private mutating func add(_ event: ChromeEvent, at time: Int64) {
    let process = process(of: event)
    switch event.phase {
    case UInt8(ascii: "X"):
      let span = processes[process].complete(event, at: time, names)
      bind(event, process, span)
    case UInt8(ascii: "B"):
      let span = processes[process].begin(event, at: time, names)
      bind(event, process, span)
    case UInt8(ascii: "b"), UInt8(ascii: "S"):
      let span = processes[process].beginTrack(event, at: time, names)
      bind(event, process, span)
    case UInt8(ascii: "E"):
      if !processes[process].end(event, at: time) { noteUnmatched(event) }
    case UInt8(ascii: "e"), UInt8(ascii: "F"):
      if !processes[process].endTrack(event, at: time, names) { noteUnmatched(event) }
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      addArrow(event, process, at: time)
    case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "n"):
      processes[process].mark(event, at: time, names)
    case UInt8(ascii: "C"): processes[process].count(event, at: time, names)
    default: break
    }
  }

  private mutating func noteUnmatched(_ event: ChromeEvent) {
    if unmatched.count == 0 { unmatched.offset = event.offset }
    unmatched.count += 1
  }

  // MARK: Arrows

  private mutating func addArrow(_ event: ChromeEvent, _ process: Int, at time: Int64) {
    let key = ArrowKey(category: event.category, identity: event.identity, name: event.name)
    let isStart = event.phase == UInt8(ascii: "s")
    if event.phase == UInt8(ascii: "f"), !event.bindsToEnclosing {
      // The arrow leads to the next slice that starts on the thread.
      guard let source = arrows[key] else { return noteUnmatched(event) }
      guard source.process == process else {
        crossing += 1
        return
      }
      _ = processes[process].thread(event.thread, names)
      processes[process].threads[event.thread]?.arrowSources.append(source.span)
      return
    }
    guard let span = processes[process].enclosing(event.thread, at: time) else {
      return noteUnmatched(event)
    }
    if !isStart {
      guard let source = arrows[key] else { return noteUnmatched(event) }
      link(source, process, span)
    }
    if event.phase != UInt8(ascii: "f") {
      arrows[key] = SpanReference(process: process, span: span)
    }
  }

  private mutating func bind(_ event: ChromeEvent, _ process: Int, _ span: Span) {
    guard event.binding != ChromeEvent.Names.none else { return }
    if event.flowsIn {
      if let source = bindings[event.binding] {
        link(source, process, span)
      } else {
        noteUnmatched(event)
      }
    }
    if event.flowsOut { bindings[event.binding] = SpanReference(process: process, span: span) }
  }

  private mutating func link(_ source: SpanReference, _ process: Int, _ span: Span) {
    guard source.process == process else {
      crossing += 1
      return
    }
    processes[process].causes.addArrow(from: source.span, to: span)
  }
}
