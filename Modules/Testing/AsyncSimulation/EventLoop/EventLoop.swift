import AsyncPatterns
import SwiftTasks
import Synchronization

/// A discrete-event simulation: what is ready, what is to come, and whose turn it is.
///
/// One thread at a time has the baton: it runs jobs, and it alone touches the state. Others leave what
/// they have in the inbox. Here is the deciding; `EventLoop+Carrying` runs what was decided.
final class EventLoop: @unchecked Sendable {
  // Safe to share: the mutable state is touched by the holder of the baton only, and the baton is handed
  // on through gates and the inbox, whose locks order what was done before and after.

  /// What happens next.
  enum Event {
    case job(Job, Place)
    case endOfTurn(SideLoop?)
    case resume(ParkedThread)
    case end(SimulatedRuntime.Ending)
  }

  let trace: (any TraceSink)?
  /// Leads the tasks that the simulation's threads start to this loop.
  let tasks = TaskSimulation()
  /// How far a task's hop is that is being made.
  @exclusivity(unchecked) var hop = Hop.none
  /// Tells the trace of those tasks; nil without a trace.
  let taskLog: TaskLog?
  let inbox = Inbox()
  let report = Locked(SimulatedRuntime.Report())
  private let clock = Atomic<Int64>(0)

  // Unchecked, since the checks take a third of the time of an event: no access spans a call to
  // anything but these values' own functions.
  @exclusivity(unchecked) var choices: Choices
  @exclusivity(unchecked) var ready: ReadyQueues
  @exclusivity(unchecked) var timers: Timers
  @exclusivity(unchecked) var workers: Workers
  @exclusivity(unchecked) var chains = Chains()
  @exclusivity(unchecked) var isMainFree = true
  @exclusivity(unchecked) var endOfTurnActions: [EndOfTurnAction] = []
  /// The run loops beside the main one that have something to do at the end of a turn.
  var sidesWithActions: [SideLoop] = []
  /// How much there is to do at the end of turns, of all run loops.
  var actionCount = 0
  /// The threads of the simulation's own that stand parked, whatever for.
  var standing: [ParkedThread] = []
  /// Who waits on a semaphore, in the order they came.
  var waiting: [ParkedThread] = []
  /// How many permits semaphores have fewer than they began with.
  var missingPermits = 0
  @exclusivity(unchecked) var asynchronousBodies: [Span: Int] = [:]
  /// The serial queues of Dispatch that the program uses.
  var strands: [DispatchQueueID: Strand] = [:]
  var escapes: [SimulatedRuntime.Escape] = []
  /// Where the tasks waited that a thread outside has resumed: their functions, the innermost first.
  var awaitedOutside: Set<[CodeAddress]> = []
  /// Whose escapes the trace has been told of.
  var escaped: Set<Span> = []
  var starvation = Starvation()
  /// The spans that last held lanes. Kept only for the trace.
  var holders = LaneHolders()
  /// How many jobs have been told apart.
  var jobCount: UInt32 = 0
  /// Whether nothing came back for which it had waited.
  var hasWaitedInVain = false
  /// Where the job runs that runs.
  @exclusivity(unchecked) var current = Place(lane: 0)

  /// Where the clock stops in this run.
  @exclusivity(unchecked) var horizon = Instant(nanoseconds: .max)
  /// How many events this run may still have before something else is to be done.
  @exclusivity(unchecked) var eventsLeft = Int.max
  var onEnd: (@Sendable (SimulatedRuntime.Ending) -> Void)?
  /// Whether other threads may still bring something, in this run.
  var isAwaited: (@Sendable () -> Bool)?
  /// What an exploration does to this simulation, and wants to know of it.
  @exclusivity(unchecked) var probe: Probe?

  /// How many milliseconds of real time code that has left the runtime may take to come back.
  let patience: Int

  /// Room for what is ready and what is to come. Who runs many simulations, one after another, hands it
  /// on from each to the next.
  struct Room {
    var ready = ReadyQueues()
    var timers = Timers()
  }

  init(
    workers: Int, choices: Choices, patience: Duration, trace: (any TraceSink)?,
    probe: Probe? = nil, room: consuming Room = Room()
  ) {
    ready = room.ready
    timers = room.timers
    self.workers = Workers(count: workers)
    self.choices = choices
    self.patience = Int(clamping: max(patience.wholeNanoseconds, 0) / 1_000_000)
    self.trace = trace
    self.probe = probe
    taskLog = RuntimeSupport.current.showsTasks ? trace.map(TaskLog.init) : nil
    tasks.receiver = self
    tasks.isWatched = taskLog != nil
  }

  /// Does `body` as the holder of the baton. Only between runs, and for what parks no thread.
  func holding<Result>(_ body: () -> Result) -> Result {
    let context = LaneContext.current
    let outer = context.carried
    context.carried = identity
    let outside = tasks.enter()
    defer {
      TaskSimulation.leave(to: outside)
      context.carried = outer
    }
    return body()
  }

  /// May be read from any thread.
  var now: Instant { Instant(nanoseconds: clock.load(ordering: .relaxed)) }

  private func setClock(_ instant: Instant) {
    clock.store(instant.nanoseconds, ordering: .relaxed)
    tasks.now = instant.nanoseconds
  }

  // MARK: What to do next

  func next() -> Event {
    while true {
      if !inbox.isEmpty, takeMail() { return .end(.interrupted) }
      if eventsLeft <= 0 {
        guard let event = probe?.interject(in: self) else { return .end(.limit) }
        return event
      }
      if let pick = pick() {
        let isVoid = pick.isVoid
        guard let event = carryOut(consume pick) else {
          if isVoid { probe?.observer?.retract() }
          continue
        }
        eventsLeft -= 1
        return event
      }
      let deadline = timers.nextDeadline()
      runCancelledSleeps()
      if let deadline {
        guard deadline <= horizon else {
          setClock(horizon)
          return .end(.reached)
        }
        if workers.blockedCount > 0 { noteStarvation() }
        setClock(deadline)
        while let (alarm, chain) = timers.popNext(at: deadline) { goOff(alarm, chain) }
        continue
      }
      let isAwaited = isAwaited?() ?? false
      if isAwaited || !asynchronousBodies.isEmpty || tasks.waitsForDispatch {
        if TaskSimulation.outside({ inbox.wait(milliseconds: patience) }) { continue }
        hasWaitedInVain = true
        if isAwaited { noteAbsence() }
      }
      // A thread that has ended since may have brought something first.
      if !inbox.isEmpty { continue }
      if let job = probe?.takeLate() {
        ready.append(.job(.job(job)), chain: chains.next())
        continue
      }
      if horizon.nanoseconds != .max { setClock(horizon) }
      return .end(.idle)
    }
  }

  /// Takes out what is next of what is ready.
  private func pick() -> ReadyQueues.Pick? {
    let free = ReadyQueues.Free(workers: workers.freeCount, main: isMainFree)
    guard choices.isFirstInFirstOut else { return choose(in: free) }
    if let first = ready.takeFirstOfPool(in: free) {
      guard let first else { return nil }
      chains.enter(first.chain)
      return .pool(first.element)
    }
    guard let candidate = ready.take(0, in: free) else { return nil }
    chains.enter(candidate.chain)
    return candidate.pick
  }

  private func choose(in free: ReadyQueues.Free) -> ReadyQueues.Pick? {
    let count = ready.candidateCount(in: free)
    guard count > 0 else { return nil }
    let number =
      choices.goesByChains
      ? choices.choose(among: ready.candidates(in: free).map(\.chain)) : choices.choose(count)
    if let observer = probe?.observer {
      observer.chose(number, among: ready.candidates(in: free), in: self)
    }
    guard let candidate = ready.take(number, in: free) else { return nil }
    chains.enter(candidate.chain)
    return candidate.pick
  }

  /// Nothing to do comes of a job that has been called off, and of one that only holds its worker.
  private func carryOut(_ pick: consuming ReadyQueues.Pick) -> Event? {
    switch consume pick {
    case .pool(.job(let queued)):
      guard let worker = workers.first, let job = queued.claim() else { return nil }
      return .job(job, Place(lane: worker))
    case .pool(.strand(let strand)):
      guard let worker = workers.first, let job = nextJob(of: strand) else { return nil }
      return .job(job, Place(lane: worker, strand: strand))
    case .pool(.occupation(let occupation)):
      begin(occupation)
      return nil
    case .main(let queued):
      return queued.claim().map { .job($0, Place(lane: 0)) }
    case .endOfTurn:
      return .endOfTurn(nil)
    case .side(let side, nil):
      return .endOfTurn(side)
    case .side(let side, let queued?):
      return queued.claim().map { .job($0, Place(lane: side.lane, side: side)) }
    case .resumption(.parked(let parked)):
      return .resume(parked)
    case .resumption(.occupation(let occupation)):
      return .job(occupation.job, end(occupation))
    }
  }

  private func nextJob(of strand: Strand) -> Job? {
    while let queued = strand.jobs.popFirst() {
      if let job = queued.claim() { return job }
    }
    strand.isActive = false
    return nil
  }

  private func goOff(_ alarm: Timers.Alarm, _ chain: UInt32) {
    switch alarm {
    case .timer(let timer):
      timer.isReady = true
      enqueue(.timer(timer), for: timer.target, chain: chain)
    case .occupation(let occupation):
      occupation.phase = .over
      ready.resume(.occupation(occupation), chain: chain)
    case .parked(let parked):
      parked.end()
      ready.resume(.parked(parked), chain: chain)
    case .sleep(let sleep):
      // What wakes the task is no choice: when the task continues is.
      chains.enter(chain)
      run(sleep)
    }
  }

  // MARK: What becomes ready

  func enqueue(_ job: QueuedJob, for target: Target) {
    enqueue(job, for: target, chain: chains.next())
  }

  private func enqueue(_ job: QueuedJob, for target: Target, chain: UInt32) {
    switch target {
    case .pool: ready.append(.job(job), chain: chain)
    case .main: ready.appendToMain(job, chain: chain)
    case .side(let side): ready.append(job, to: side, chain: chain)
    case .strand(let strand):
      strand.jobs.append(job)
      if !strand.isActive { activate(strand, chain: chain) }
    }
  }

  private func activate(_ strand: Strand, chain: UInt32) {
    strand.isActive = true
    ready.append(.strand(strand), chain: chain)
  }

  func add(_ timer: Timer, at deadline: Instant) {
    if deadline <= now {
      timer.isReady = true
      enqueue(.timer(timer), for: timer.target)
    } else {
      timers.add(.timer(timer), at: deadline, chain: chains.next())
    }
  }

  func callOff(_ timer: Timer) {
    guard let job = timer.job else { return }
    timer.job = nil
    if !timer.isReady { timers.didCallOff() }
    // What the job holds may run code of its own as it goes, so it goes last.
    withExtendedLifetime(job) {}
  }

  // MARK: Lanes

  /// Tells the job that runs from all others that have been told apart.
  func tellCurrentJob() -> UInt32 {
    if current.job == 0 {
      jobCount &+= 1
      current.job = jobCount
    }
    return current.job
  }

  /// Takes the lane of the job that runs out of the free ones, since the job outlasts its event.
  func holdCurrentLane() -> Place {
    if !current.isHeld {
      current.isHeld = true
      if current.lane == 0 {
        isMainFree = false
      } else if let side = current.side {
        side.isFree = false
      } else {
        // The loop has not moved since it gave the job the first worker.
        _ = workers.takeFirst()
      }
    }
    return current
  }

  /// The job that ran has returned.
  func releaseCurrentLane() {
    if current.isHeld {
      if current.lane == 0 {
        isMainFree = true
      } else if let side = current.side {
        side.isFree = true
      } else {
        workers.giveBack(current.lane)
      }
    }
    guard let strand = current.strand else { return }
    if trace != nil { holders.pass(from: current.lane, to: strand) }
    becomesFree(strand)
  }

  /// A job of the strand has ended.
  func becomesFree(_ strand: Strand) {
    if strand.jobs.isEmpty {
      strand.isActive = false
    } else {
      activate(strand, chain: chains.next())
    }
  }
}
