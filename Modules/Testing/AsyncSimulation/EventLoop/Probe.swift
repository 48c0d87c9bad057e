import AsyncPatterns

/// How an exploration influences and observes a simulation.
final class Probe: @unchecked Sendable {
  // Safe to share: only the holder of the simulation's baton touches it.

  /// Observes what the loop chooses; nil if the choices are not observed.
  let observer: (any ChoiceObserver)?
  /// The misuses that were reported.
  private(set) var misuse: [(rule: String, detail: String)] = []

  /// A job to run between two events, and how many events may come after it.
  private var interjection: (job: Job, eventsAfter: Int)?
  /// Whether that job has not run yet.
  var isWaiting: Bool { interjection != nil }
  /// Whether misuses are no longer recorded.
  var isClosed = false
  /// The jobs that run when nothing else is left to happen.
  private var late: [Job] = []

  init(observer: (any ChoiceObserver)? = nil) { self.observer = observer }

  func noteMisuse(_ rule: String, _ detail: String) {
    if !isClosed { misuse.append((rule, detail)) }
  }

  /// Runs `job` when the run reaches its limit of events, and then allows `eventsAfter` more.
  func interject(_ job: Job, eventsAfter: Int) { interjection = (job, eventsAfter) }

  /// Called when the run has reached its limit of events.
  ///
  /// - Returns: the event that runs the job; nil if there is no job.
  func interject(in loop: EventLoop) -> EventLoop.Event? {
    guard let (job, eventsAfter) = interjection else { return nil }
    interjection = nil
    loop.eventsLeft = eventsAfter
    observer?.willCancel(in: loop)
    return loop.start(.job(job), at: Place(lane: 0))
  }

  /// Runs `job` when nothing else is left to happen.
  func delay(_ job: Job) { late.append(job) }

  /// Drops the jobs that have not run.
  func close() {
    late = []
    interjection = nil
  }

  /// Takes out the delayed job that was added first.
  func takeLate() -> Job? { late.isEmpty ? nil : late.removeFirst() }
}
