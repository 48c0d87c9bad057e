internal import DequeModule

/// The jobs of a pool, and the workers without a job.
///
/// At most one worker at a time is the scout. The scout was woken and has no job yet, or looks for a job before it
/// sleeps. While there is a scout, no other worker is woken. The scout takes the first job. If more jobs are left, it
/// wakes the next scout before it runs its own job. So jobs that come soon after each other cost few wake-ups. No job
/// waits for the end of another one while a worker is free.
///
/// This type only makes decisions. The caller carries them out after releasing the lock.
struct LivePoolState {
  private var jobs: Deque<Job> = []
  /// The workers that sleep. The worker that had a job most recently is last.
  private var sleeping: [Int]
  private var hasScout = false

  init(width: Int) { sleeping = Array((0..<width).reversed()) }

  /// The number of workers that are free for a job.
  private var freeCount: Int { sleeping.count + (hasScout ? 1 : 0) }

  /// Whether each worker has a job, or is about to take one that has already come.
  var isBusy: Bool { jobs.count >= freeCount }

  /// Whether a job waits for the end of another one.
  var hasWaiting: Bool { jobs.count > freeCount }

  /// - Returns: the worker to wake, if any. It is the scout.
  mutating func append(_ job: Job) -> Int? {
    jobs.append(job)
    return nextScout()
  }

  /// What a worker has done before its next step.
  enum Situation {
    /// It was woken as the scout.
    case woken
    /// It looked for a job as the scout.
    case looked
    case ranJob
  }

  enum Step {
    /// Wake the scout, if any, and run the job.
    case run(Job, waking: Int?)
    /// Look for a job as the scout, for a short time.
    case look
    case sleep
  }

  mutating func step(of worker: Int, after situation: Situation) -> Step {
    if situation != .ranJob { hasScout = false }
    if let job = jobs.popFirst() { return .run(job, waking: nextScout()) }
    guard situation == .looked || hasScout else {
      hasScout = true
      return .look
    }
    sleeping.append(worker)
    return .sleep
  }

  private mutating func nextScout() -> Int? {
    guard !hasScout, !jobs.isEmpty, let scout = sleeping.popLast() else { return nil }
    hasScout = true
    return scout
  }
}
