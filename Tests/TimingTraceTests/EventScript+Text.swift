import TimingTrace

extension EventScript {
  /// Writes the events of a trace that is drawn in one line, with times in milliseconds:
  /// `root: bounded { a: 0..6; b: 0..4; c: 6..9 permit a }`.
  ///
  /// A span is a label, its kind and its times. A pattern without times of its own has the times of its steps. A step
  /// without times never starts, and a step without an end (`0..`) never ends. These words can follow:
  ///
  /// - `after a,b`, `permit a`, `woken a`: the causes of its start; the last one let it start
  /// - `cancelled by a`: it ends because a cancelled it; `failed`: it ends with the failure “no”
  /// - `blocked 0..5 by a`: it blocks a thread until a wakes it
  /// - `early`: a pattern that does not wait for all of its steps
  ///
  /// `by` and an end can be left out. The label `job/a` stands for the step a that comes from the list job.
  /// Events with the same time have this order: steps end; threads are woken and patterns end; steps start; threads are
  /// blocked.
  init(_ text: String) {
    self.init()
    var words = text.replacing(/[{}]/) { " \($0.output) " }
      .split { $0.isWhitespace || $0 == ";" }[...]
    var spans: [WrittenSpan] = []
    WrittenSpan.read(&words, in: nil, into: &spans)
    var events: [(time: Int64, rank: Int, write: (inout EventScript) -> Void)] = []
    func at(_ time: Int64?, _ rank: Int, _ write: @escaping (inout EventScript, Int64) -> Void) {
      if let time { events.append((time, rank, { write(&$0, time) })) }
    }
    for span in spans {
      at(span.start, 2) { script, time in
        if span.parent == nil { script.submit(span.label, span.kind, at: time) }
        for reason in span.reasons.dropLast() { script.await(span.label, reason, at: time) }
        script.start(span.label, because: span.reasons.last, at: time)
        for part in spans where part.parent == span.label {
          script.submit(part.label, part.kind, in: span.label, group: part.group, at: time)
        }
      }
      for block in span.blocks {
        at(block.from, 3) { $0.block(span.label, at: $1) }
        at(block.to, 1) { $0.unblock(span.label, by: block.waker, at: $1) }
      }
    }
    for span in WrittenSpan.partsFirst(spans, in: nil) {
      at(span.end, spans.contains { $0.parent == span.label } ? 1 : 0) { script, time in
        script.finish(
          span.label, span.outcome, because: span.canceller.map { (.cancellation, $0) },
          cancelled: span.canceller.map { _ in time },
          error: span.outcome == .failure ? "no" : "", awaitsAll: span.awaitsAll, at: time)
      }
    }
    // The sort is stable, so that spans keep the order in which they are written.
    for event in events.sorted(by: { ($0.time, $0.rank) < ($1.time, $1.rank) }) {
      event.write(&self)
    }
  }
}

private struct WrittenSpan {
  let label: String
  var group: String?
  let parent: String?
  var kind = "sleep"
  var start: Int64?
  var end: Int64?
  var reasons: [EventScript.Reason] = []
  var canceller: String?
  var outcome = TraceEvent.Outcome.success
  var blocks: [(from: Int64, to: Int64?, waker: String?)] = []
  var awaitsAll = true

  /// Reads the spans of one pattern, each before its parts.
  static func read(
    _ words: inout ArraySlice<Substring>, in parent: String?, into spans: inout [WrittenSpan]
  ) {
    var index = 0
    func next() -> Substring { words.popFirst() ?? "" }
    func causer() -> String? {
      guard words.first == "by" else { return nil }
      words.removeFirst()
      return String(next())
    }
    func times(_ word: Substring) -> [Int64] {
      word.split(separator: "..").compactMap { Int64($0) }
    }
    while let word = words.popFirst() {
      switch word {
      case "}": return
      case "{":
        let first = spans.count
        read(&words, in: spans[index].label, into: &spans)
        if spans[index].start == nil {
          spans[index].start = spans[first...].compactMap(\.start).min()
          spans[index].end = spans[first...].compactMap(\.end).max()
        }
      case "after": spans[index].reasons += next().split(separator: ",").map { (.end, String($0)) }
      case "permit": spans[index].reasons.append((.permit, String(next())))
      case "woken": spans[index].reasons.append((.wakeUp, String(next())))
      case "cancelled":
        spans[index].outcome = .cancelled
        spans[index].canceller = causer()
      case "failed": spans[index].outcome = .failure
      case "early": spans[index].awaitsAll = false
      case "blocked":
        let limits = times(next())
        spans[index].blocks.append((limits[0], limits.dropFirst().first, causer()))
      default:
        if word.hasSuffix(":") {
          index = spans.count
          let names = word.dropLast().split(separator: "/").map(String.init)
          spans.append(
            WrittenSpan(
              label: names.last ?? "", group: names.count > 1 ? names.first : nil, parent: parent))
        } else if word.contains("..") {
          let limits = times(word)
          spans[index].start = limits[0]
          spans[index].end = limits.dropFirst().first
        } else {
          spans[index].kind = String(word)
        }
      }
    }
  }

  static func partsFirst(_ spans: [WrittenSpan], in parent: String?) -> [WrittenSpan] {
    spans.filter { $0.parent == parent }.flatMap { partsFirst(spans, in: $0.label) + [$0] }
  }
}
