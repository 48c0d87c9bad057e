import AsyncPatterns
import SwiftTasks
import Synchronization

/// A discrete-event simulation. It holds everything that is ready or will happen later, and decides what happens next.
///
/// One thread at a time holds the baton: it runs jobs, and only it touches the state. Other threads leave their work in
/// the inbox. This file chooses the next event, and `EventLoop+Carrying` runs it.
final class EventLoop: @unchecked Sendable {
  // Safe to share: only the holder of the baton touches the mutable state. The baton passes from thread to thread
  // through gates and the inbox, whose locks order the accesses before and after.

  /// The next event. Jobs, and the ends of turns, happen at the current place.
  enum Event {
    case job(Job)
    case task(SwiftJob)
    case endOfTurn(SideLoop?)
    case resume(BlockedThread)
    case end(SimulatedRuntime.Ending)
  }

  let trace: (any TraceSink)?
  /// Directs the tasks that the simulation's threads start to this loop.
  let tasks = TaskSimulation()
  /// The progress of the hop that a task makes.
  @exclusivity(unchecked) var hop = HopProgress.none
  @exclusivity(unchecked) var wokenTasks = WokenTasks()
  /// Records the tasks of the simulation's threads in the trace; nil without a trace.
  let taskLog: TaskLog?
  let inbox = Inbox()
  let report = Locked(SimulatedRuntime.Report())
  private let clock = Atomic<Int64>(0)

  // Unchecked, since the checks take a third of the time of an event. No access spans a call to anything but these
  // values' own functions.
  @exclusivity(unchecked) var choices: Choices
  @exclusivity(unchecked) var ready: ReadyQueues
  @exclusivity(unchecked) var timers: Timers
  @exclusivity(unchecked) var workers: Workers
  @exclusivity(unchecked) var chains = Chains()
  @exclusivity(unchecked) var isMainFree = true
  @exclusivity(unchecked) var endOfTurnActions: [EndOfTurnAction] = []
  /// The run loops other than the main one that have actions for the end of a turn.
  @exclusivity(unchecked) var sidesWithActions: [SideLoop] = []
  /// How many actions for the end of turns all run loops have.
  @exclusivity(unchecked) var actionCount = 0
  /// The threads of the simulation that are blocked, for any reason.
  @exclusivity(unchecked) var blockedThreads: [BlockedThread] = []
  /// The threads that wait for a semaphore, in order of arrival.
  @exclusivity(unchecked) var waiting: [BlockedThread] = []
  /// The waits of threads in run loops that are not the simulation's own.
  @exclusivity(unchecked) var runLoopWaits: [RunLoopWait] = []
  /// The main thread, while it waits in a run loop that is not the simulation's own. Meanwhile it must carry out the
  /// events of the main lane.
  @exclusivity(unchecked) var mainThreadWait: MainThreadWait?
  /// The system's number of the thread that holds the baton; 0 if it has no number. A signal handler may read it.
  let carrier = Atomic<UInt>(0)
  /// How many fewer permits the semaphores have than they started with.
  @exclusivity(unchecked) var missingPermits = 0
  @exclusivity(unchecked) var asynchronousBodies: [Span: Int] = [:]
  /// The serial queues of Dispatch that the program uses.
  @exclusivity(unchecked) var strands: [DispatchQueueID: Strand] = [:]
  @exclusivity(unchecked) var escapes: [SimulatedRuntime.Escape] = []
  /// Where tasks waited when a thread outside the simulation resumed them. Each place is a list of functions, the
  /// innermost first.
  @exclusivity(unchecked) var awaitedOutside: Set<[CodeAddress]> = []
  /// Whether some work left the simulation, so that not everything is a choice.
  var hasEscaped: Bool { !escapes.isEmpty || !awaitedOutside.isEmpty }
  /// The spans whose escapes the trace has recorded.
  @exclusivity(unchecked) var escaped: Set<Span> = []
  @exclusivity(unchecked) var starvation = Starvation()
  /// The spans that last held lanes. Recorded only for the trace.
  @exclusivity(unchecked) var holders = LaneHolders()
  /// How many jobs have a number of their own.
  @exclusivity(unchecked) var jobCount: UInt32 = 0
  /// Whether the loop has waited for work from outside and none came.
  @exclusivity(unchecked) var hasWaitedInVain = false
  /// The place of the running job, or of the next event.
  @exclusivity(unchecked) var current = Place(lane: 0)

  /// The instant at which the clock stops in this run.
  @exclusivity(unchecked) var horizon = Instant(nanoseconds: .max)
  /// How many events this run may still have before it ends or the probe acts.
  @exclusivity(unchecked) var eventsLeft = Int.max
  @exclusivity(unchecked) var onEnd: (@Sendable (SimulatedRuntime.Ending) -> Void)?
  /// Returns whether other threads may still bring work in this run.
  @exclusivity(unchecked) var isAwaited: (@Sendable () -> Bool)?
  /// How an exploration influences and observes this simulation.
  @exclusivity(unchecked) var probe: Probe?

  /// How long the loop waits for code that has left the runtime, in milliseconds of real time.
  let patience: Int

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
    updateWatch()
  }

  /// Calls `body` as the holder of the baton. Call it only between runs, and only if `body` blocks no thread.
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

  /// The virtual time. Any thread may read it.
  var now: Instant { Instant(nanoseconds: clock.load(ordering: .relaxed)) }

  func setClock(_ instant: Instant) {
    clock.store(instant.nanoseconds, ordering: .relaxed)
    tasks.now = instant.nanoseconds
  }

  // MARK: Choosing the next event

  func next() -> Event {
    while true {
      if !inbox.isEmpty, takeMail() { return .end(.interrupted) }
      if eventsLeft <= 0 { return probe?.interject(in: self) ?? .end(.limit) }
      let free = ReadyQueues.Free(workers: workers.freeCount, main: isMainFree)
      let hasOnlyPool = ready.hasOnlyPool(in: free)
      let count =
        hasOnlyPool ? min(ready.pool.count, free.workers) : ready.candidateCount(in: free)
      guard count > 0 else {
        if let ending = passTime() { return .end(ending) }
        continue
      }
      let number = choose(among: count, in: free)
      if let event = hasOnlyPool ? takeOfPool(at: number) : take(number, in: free) {
        eventsLeft -= 1
        return event
      }
    }
  }

  /// Chooses one of the candidates.
  ///
  /// - Returns: its number.
  @inline(__always)
  private func choose(among count: Int, in free: ReadyQueues.Free) -> Int {
    choices.isFirstInFirstOut ? 0 : chooseFreely(among: count, in: free)
  }

  @inline(never)
  private func chooseFreely(among count: Int, in free: ReadyQueues.Free) -> Int {
    let number =
      choices.dependsOnChains
      ? choices.choose(among: ready.candidates(in: free).map { ready.chain(at: $0) })
      : choices.choose(count)
    if let observer = probe?.observer {
      observer.chose(number, among: ready.candidates(in: free), in: self)
    }
    return number
  }

  /// Takes out an entry of the pool.
  ///
  /// - Returns: nil if the entry gives no event: its jobs were cancelled, or it is an occupation, which only takes a
  ///   worker now.
  @inline(__always)
  private func takeOfPool(at index: Int) -> Event? {
    guard let worker = workers.first else { return nil }
    let first = ready.takeOfPool(at: index)
    chains.enter(first.chain)
    let entry = first.element
    switch consume entry {
    case .job(let queued): return claim(queued, at: Place(lane: worker))
    case .strand(let strand):
      return takeFirstJob(of: strand, at: Place(lane: worker, strand: strand))
    case .occupation(let occupation):
      begin(occupation)
      return nil
    }
  }

  private func takeFirstJob(of strand: Strand, at place: Place) -> Event? {
    while !strand.jobs.isEmpty {
      if let event = strand.jobs.removeFirst().claim() { return start(event, at: place) }
    }
    strand.isActive = false
    probe?.observer?.retract()
    return nil
  }

  /// Takes out the candidate with that number: see ``takeOfPool(at:)``.
  @inline(never)
  private func take(_ number: Int, in free: ReadyQueues.Free) -> Event? {
    guard let position = ready.position(of: number, in: free) else { return nil }
    switch position {
    case .pool(let index): return takeOfPool(at: index)
    case .main:
      chains.enter(ready.chain(at: position))
      guard let queued = ready.takeOfMain() else {
        return start(.endOfTurn(nil), at: Place(lane: 0))
      }
      return claim(queued, at: Place(lane: 0))
    case .side(let side):
      chains.enter(ready.chain(at: position))
      let place = Place(lane: side.lane, side: side)
      guard let queued = ready.take(of: side) else { return start(.endOfTurn(side), at: place) }
      return claim(queued, at: place)
    case .resumption(let index):
      chains.enter(ready.chain(at: position))
      switch ready.takeResumption(at: index) {
      case .blocked(let thread): return .resume(thread)
      case .occupation(let occupation):
        return start(.job(occupation.job), at: end(occupation))
      }
    }
  }

  @inline(__always)
  private func claim(_ queued: consuming QueuedJob, at place: consuming Place) -> Event? {
    guard let event = queued.claim() else {
      probe?.observer?.retract()
      return nil
    }
    return start(event, at: place)
  }

  @inline(__always)
  func start(_ event: consuming Event, at place: consuming Place) -> Event {
    current = place
    return event
  }

  // MARK: Queueing

  func enqueue(_ job: consuming QueuedJob, for target: Target) {
    enqueue(job, for: target, chain: chains.next())
  }

  func enqueue(_ job: consuming QueuedJob, for target: Target, chain: UInt32) {
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

  func cancel(_ timer: Timer) {
    guard let job = timer.job else { return }
    timer.job = nil
    if !timer.isReady { timers.didCancel() }
    // Releasing what the job holds may run other code, so it comes last.
    withExtendedLifetime(job) {}
  }

  // MARK: Lanes

  /// The number of the running job, which distinguishes it from other jobs. It gets one if it has none.
  func numberCurrentJob() -> UInt32 {
    if current.job == 0 {
      jobCount &+= 1
      current.job = jobCount
    }
    return current.job
  }

  /// Removes the lane of the running job from the free lanes, since the job outlasts its event.
  func holdCurrentLane() -> Place {
    if !current.isHeld {
      current.isHeld = true
      if current.lane == 0 {
        isMainFree = false
      } else if let side = current.side {
        side.isFree = false
      } else {
        // The first free worker is still the one that the loop gave to the job.
        _ = workers.takeFirst()
      }
    }
    return current
  }

  /// Releases the lane of the running job, which has returned.
  // Inlined without its rare parts, which would save registers for each job.
  @inline(__always)
  func releaseCurrentLane() {
    if current.isHeld { giveBackCurrentLane() }
    if current.strand != nil { freeCurrentStrand() }
  }

  @inline(never)
  private func giveBackCurrentLane() {
    if current.lane == 0 {
      isMainFree = true
    } else if let side = current.side {
      side.isFree = true
    } else {
      workers.giveBack(current.lane)
    }
  }

  @inline(never)
  private func freeCurrentStrand() {
    guard let strand = current.strand else { return }
    if trace != nil { holders.pass(from: current.lane, to: strand) }
    becomesFree(strand)
  }

  /// Makes the strand ready for its next job, after one of its jobs has ended.
  func becomesFree(_ strand: Strand) {
    if strand.jobs.isEmpty {
      strand.isActive = false
    } else {
      activate(strand, chain: chains.next())
    }
  }
}
