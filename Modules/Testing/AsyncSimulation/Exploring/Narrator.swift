import AsyncPatterns

/// Records what a simulation does, and what else it could have done.
final class Narrator: ChoiceObserver, @unchecked Sendable {
  // Safe to share: it is touched only by the holder of the simulation's baton, and between runs.

  private struct Entry {
    var actor: Actor
    var time: Instant
    /// How many choices had been made before it.
    var choicesBefore: Int
    /// How many events had been recorded before it.
    var eventsBefore: Int
    /// The candidates, with nil for one that had been cancelled, and the number of the chosen one.
    var candidates: [Actor?] = []
    var number = 0
    /// The lane on which it happens.
    var lane = Lane.main
    /// Remarks about things that no event of the trace shows.
    var remarks: [String] = []

    var alternatives: [Actor] {
      candidates.indices.compactMap { $0 == number ? nil : candidates[$0] }
    }
  }

  /// The actor of a moment.
  enum Actor: Hashable {
    case step(Span)
    case queue(String)
    case mainLane
    case turnEnd
    case cancellation
    case lateCompletion
    case endOfSleep(SleepEnd)
    case other
  }

  private let log: TrialLog
  private var entries: [Entry] = []
  private var injectionIndex: Int?

  init(_ log: TrialLog) { self.log = log }

  func chose(_ number: Int, among candidates: [ReadyQueues.Position], in loop: EventLoop) {
    var entry = Entry(
      actor: loop.ready.actor(at: candidates[number]), time: loop.now,
      choicesBefore: loop.choices.drawn.count - (candidates.count > 1 ? 1 : 0),
      eventsBefore: log.count,
      candidates: candidates.map {
        loop.ready.isCancelled(at: $0) ? nil : loop.ready.actor(at: $0)
      }, number: number)
    entry.lane = loop.ready.lane(at: candidates[number]) ?? Lane(number: loop.workers.first ?? 0)
    entries.append(entry)
  }

  func chose(_ number: Int, among ends: [SleepEnd], of span: Span, in loop: EventLoop) {
    var entry = Entry(
      actor: .of(span), time: loop.now, choicesBefore: loop.choices.drawn.count - 1,
      eventsBefore: log.count, candidates: ends.map { .endOfSleep($0) }, number: number)
    entry.lane = entries.last?.lane ?? .main
    entry.remarks = [
      ends[number] == .whole ? "was cancelled after its sleep" : "was cancelled in its sleep"
    ]
    entries.append(entry)
  }

  func retract() { entries.removeLast() }

  func willCancel(in loop: EventLoop) {
    entries.append(
      Entry(
        actor: .cancellation, time: loop.now, choicesBefore: loop.choices.drawn.count,
        eventsBefore: log.count))
    noteInjection()
  }

  /// Notes that something is injected now.
  func noteInjection() { if injectionIndex == nil { injectionIndex = max(entries.count - 1, 0) } }

  /// Notes that the completion of that step is held back now.
  func noteHeldCompletion(of label: String) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].remarks.append("the completion of “\(label)” is held back")
  }

  // MARK: Describing

  /// The narration. `events` gives the names of the spans.
  func narration(_ events: [TraceEvent]) -> Narration {
    let names = SpanNames(events)
    return Narration(
      moments: moments(events, names), choicesBefore: entries.map(\.choicesBefore),
      candidates: entries.map { $0.candidates.map { $0.map { name(of: $0, names) } } })
  }

  private func moments(_ events: [TraceEvent], _ names: SpanNames) -> [Moment] {
    entries.indices.map { index in
      let entry = entries[index]
      let end = index + 1 < entries.count ? entries[index + 1].eventsBefore : events.count
      let own = events[min(entry.eventsBefore, end)..<end]
      // A job of no span, such as the one that starts the run, is named after what it does first.
      let isUnnamed = entry.actor == .other
      let actor = own.first.map { isUnnamed && $0.span != .none ? .step($0.span) : entry.actor }
      let actorName = name(of: actor ?? entry.actor, names)
      return Moment(
        time: entry.time, lane: entry.lane, actor: actorName,
        happenings: names.descriptions(own, of: actorName) + entry.remarks,
        alternatives: entry.alternatives.uniqued().map { name(of: $0, names) },
        isDeviation: entry.number != 0, isInjection: index == injectionIndex)
    }
  }

  private func name(of actor: Actor, _ names: SpanNames) -> String {
    switch actor {
    case .step(let span): names[span]
    case .queue(let label): "queue “\(label)”"
    case .mainLane: "main"
    case .turnEnd: "the end of main’s turn"
    case .cancellation: "the run is cancelled"
    case .lateCompletion: "a completion that was held back"
    case .endOfSleep(.whole): "the end of its sleep"
    case .endOfSleep(.cancelled): "the cancellation of its sleep"
    case .other: "a job"
    }
  }
}

extension [Narrator.Actor] {
  fileprivate func uniqued() -> [Narrator.Actor] {
    var seen: Set<Narrator.Actor> = []
    return filter { seen.insert($0).inserted }
  }
}

extension ReadyQueues {
  fileprivate func actor(at position: Position) -> Narrator.Actor {
    switch position {
    case .pool(let index): pool[index].element.actor
    case .main:
      if main.isEmpty { .turnEnd } else { main[0].element.actor(otherwise: .mainLane) }
    case .side(let side):
      if side.jobs.isEmpty {
        .queue(side.label)
      } else {
        side.jobs[0].element.actor(otherwise: .queue(side.label))
      }
    case .resumption(let index):
      switch resumptions[index].element {
      case .blocked(let thread): .of(thread.waiter.span)
      case .occupation(let occupation): .of(occupation.span)
      }
    }
  }

  /// The lane on which a candidate continues; nil if it gets the first free worker.
  fileprivate func lane(at position: Position) -> Lane? {
    switch position {
    case .pool: nil
    case .main: .main
    case .side(let side): Lane(number: side.lane)
    case .resumption(let index):
      switch resumptions[index].element {
      case .blocked(let thread): Lane(number: thread.place.lane)
      case .occupation(let occupation): Lane(number: occupation.worker)
      }
    }
  }

  /// Whether a candidate was cancelled, so that choosing it has no effect.
  fileprivate func isCancelled(at position: Position) -> Bool {
    switch position {
    case .pool(let index):
      switch pool[index].element {
      case .job(let job): job.isCancelled
      default: false
      }
    case .main: !main.isEmpty && main[0].element.isCancelled
    case .side(let side): !side.jobs.isEmpty && side.jobs[0].element.isCancelled
    case .resumption: false
    }
  }
}

extension Narrator.Actor {
  /// The step with that span, if there is one.
  fileprivate static func of(_ span: Span, otherwise: Self = .other) -> Self {
    span == .none ? otherwise : .step(span)
  }
}

extension ReadyQueues.PoolEntry {
  fileprivate var actor: Narrator.Actor {
    switch self {
    case .job(let job): return job.actor(otherwise: .other)
    case .strand(let strand):
      let queue = Narrator.Actor.queue(strand.label)
      return strand.jobs.isEmpty ? queue : strand.jobs[0].actor(otherwise: queue)
    case .occupation(let occupation): return .of(occupation.span)
    }
  }
}

extension QueuedJob {
  fileprivate func actor(otherwise: Narrator.Actor) -> Narrator.Actor {
    .of(span ?? .none, otherwise: otherwise)
  }

  fileprivate var isCancelled: Bool {
    switch self {
    case .timer(let timer): timer.job == nil
    default: false
    }
  }
}
