import AsyncPatterns

/// What an exploration does to a simulation, and wants to know of it.
final class Probe: @unchecked Sendable {
  // Safe to share: touched by the holder of the simulation's baton only.

  /// Sees what the loop chooses; nil if that is of no interest.
  let observer: (any ChoiceObserver)?
  /// What has been reported as misuse.
  private(set) var misuse: [(rule: String, detail: String)] = []

  /// What is done in between, and how many events come after it.
  private var interjection: (job: Job, eventsAfter: Int)?
  /// Whether there is something still to be done in between.
  var isWaiting: Bool { interjection != nil }
  /// Whether nobody is interested any longer.
  var isOver = false
  /// What comes when nothing else is left to happen.
  private var late: [Job] = []

  init(observer: (any ChoiceObserver)? = nil) { self.observer = observer }

  func noteMisuse(_ rule: String, _ detail: String) {
    if !isOver { misuse.append((rule, detail)) }
  }

  /// Does `job` once some events have happened, and lets `eventsAfter` more happen.
  func interject(_ job: Job, eventsAfter: Int) { interjection = (job, eventsAfter) }

  /// The number of events has been reached at which the simulation was to stop.
  func interject(in loop: EventLoop) -> EventLoop.Event? {
    guard let (job, eventsAfter) = interjection else { return nil }
    interjection = nil
    loop.eventsLeft = eventsAfter
    observer?.willCancel(in: loop)
    return .job(job, Place(lane: 0))
  }

  /// Has `job` run when nothing else is left to happen.
  func delay(_ job: Job) { late.append(job) }

  /// Forgets what is still to come.
  func close() {
    late = []
    interjection = nil
  }

  /// What has come last of what was delayed.
  func takeLate() -> Job? { late.isEmpty ? nil : late.removeFirst() }
}
