import AsyncPatterns
import Dispatch
import TimingTrace

/// The runs and comparisons of a session, finished and in progress. It can be read on any thread, since the code that
/// ends the program cannot wait for the main lane.
final class SessionLog: Sendable {
  /// The maximum number of runs in the log; `mostEvents` is the maximum number of their events. The last run is always
  /// kept. The oldest runs are removed first.
  static let mostRuns = 2_000
  static let mostEvents = 4_000_000
  /// The log keeps at most this many comparisons. The oldest go first.
  private static let mostComparisons = 200

  /// A run in progress.
  struct UnderWay: Sendable {
    let ticket: Ticket
    let execution: any Execution
    /// Its number, if it runs in the background.
    let number: Int?
  }

  /// The identity of a run in progress.
  struct Ticket: Sendable, Hashable {
    let number: Int
    /// Its number in the file that the session's runs are saved to, if its start has been written there.
    let entry: Int?
  }

  private struct State: Sendable {
    /// In the order of their numbers. A run without a number comes after those that finished before it.
    var runs: [FinishedRun] = []
    /// The last number that was given to a run.
    var lastNumber = 0
    /// How many runs with a number have been removed; `events` is the number of events of the runs that are kept.
    var removed = 0
    var events = 0
    var comparisons: [Comparison] = []
    var comparedRuns: [SavedRun] = []
    var underWay: [UnderWay] = []
    var tickets = 0
    /// Whether runs may start.
    var isOpen = true
    var isClosed = false
    var hasEarlierCrash = false

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    mutating func insert(_ run: FinishedRun) {
      let position = run.number.flatMap { number in
        runs.firstIndex { $0.number.map { $0 > number } ?? false }
      }
      runs.insert(run, at: position ?? runs.endIndex)
      events += run.events.count
    }

    /// Removes and returns the oldest runs, so that the others are within the limits.
    mutating func removeOldest() -> [FinishedRun] {
      var count = 0
      while count + 1 < runs.count,
        runs.count - count > SessionLog.mostRuns || events > SessionLog.mostEvents
      {
        events -= runs[count].events.count
        count += 1
      }
      let oldest = Array(runs.prefix(count))
      runs.removeFirst(count)
      removed += oldest.count { $0.number != nil }
      return oldest
    }
  }

  private let state = Locked(State())
  /// The calls of `begin` that have started a run but have not recorded it yet.
  private let beginning = DispatchGroup()
  /// Writes the runs to a file while they run, if they will be saved.
  let journal: RunJournal?

  private let keepsAllRuns: Bool

  /// - Parameter keepsAllRuns: whether no run is removed, since a file that is written at the end needs them all.
  init(journal: RunJournal? = nil, keepsAllRuns: Bool = false) {
    self.journal = journal
    self.keepsAllRuns = keepsAllRuns
  }

  /// The runs that have finished and are kept, in the order of their numbers.
  var runs: [FinishedRun] { state.withLock { $0.runs } }
  /// How many runs with a number have been removed.
  var removed: Int { state.withLock { $0.removed } }
  /// The number that the next run will have.
  var nextNumber: Int { state.withLock { $0.lastNumber + 1 } }
  /// The run of that number, if it is kept.
  func run(_ number: Int) -> FinishedRun? {
    state.withLock { $0.runs.first { $0.number == number } }
  }
  /// The comparisons that are kept, and the runs of files that were compared, for a report.
  var comparisons: [Comparison] { state.withLock { $0.comparisons } }
  var comparedRuns: [SavedRun] { state.withLock { $0.comparedRuns } }
  /// The runs in progress, in the order in which they started.
  var underWay: [UnderWay] { state.withLock { $0.underWay } }

  /// Whether code of a run that had ended has crashed since ``forgetEarlierCrash()``.
  var hasEarlierCrash: Bool { state.withLock { $0.hasEarlierCrash } }
  func noteEarlierCrash() { state.withLock { $0.hasEarlierCrash = true } }
  func forgetEarlierCrash() { state.withLock { $0.hasEarlierCrash = false } }

  func add(_ comparison: Comparison) {
    // The removed comparison is released when the lock is free.
    _ = state.withLock { state -> Comparison? in
      state.comparisons.append(comparison)
      let isTooMany = !keepsAllRuns && state.comparisons.count > Self.mostComparisons
      return isTooMany ? state.comparisons.removeFirst() : nil
    }
  }
  func add(compared runs: [SavedRun]) { state.withLock { $0.comparedRuns += runs } }

  /// Starts a run with `start`, and records it. A background run has its number from now on.
  ///
  /// - Returns: nil if the program is ending: nothing would end or report the run.
  func begin(inBackground: Bool = false, _ start: () -> any Execution) -> UnderWay? {
    let isOpen = state.withLock { state in
      if state.isOpen { beginning.enter() }
      return state.isOpen
    }
    guard isOpen else { return nil }
    defer { beginning.leave() }
    let execution = start()
    let entry = beginSaving(execution)
    let begun = state.withLock { state -> UnderWay? in
      guard !state.isClosed else { return nil }
      state.tickets += 1
      let ticket = Ticket(number: state.tickets, entry: entry)
      let number = inBackground ? state.nextNumber() : nil
      let begun = UnderWay(ticket: ticket, execution: execution, number: number)
      state.underWay.append(begun)
      return begun
    }
    if begun == nil { execution.cancel() }
    return begun
  }

  /// Prevents further runs from starting. Waits up to 250ms for the calls of `begin` in progress.
  func stopBeginning() {
    state.withLock { $0.isOpen = false }
    _ = beginning.wait(timeout: .now() + .milliseconds(250))
  }

  /// Adds a run that has ended or was imported.
  ///
  /// - Parameter isListed: whether it gets a number, unless it has one.
  /// - Returns: the run with its number. Nil if the log has been closed; the code that closed it then handles the run.
  func add(_ run: FinishedRun, isListed: Bool = true) -> FinishedRun? {
    // The removed runs are released when the lock is free.
    let (added, _) = state.withLock { state -> (FinishedRun?, [FinishedRun]) in
      guard !state.isClosed else { return (nil, []) }
      var run = run
      if isListed, run.number == nil { run.number = state.nextNumber() }
      state.insert(run)
      if let ticket = run.ticket { state.underWay.removeAll { $0.ticket == ticket } }
      return (run, keepsAllRuns ? [] : state.removeOldest())
    }
    if let added { journal?.end(added.ticket?.entry, added.saved) }
    return added
  }

  /// Closes the log. The caller must end the runs in progress, and no further run is added.
  ///
  /// - Returns: the runs in progress; nil if the log has already been closed.
  func close() -> [UnderWay]? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      defer { state.underWay = [] }
      (state.isOpen, state.isClosed) = (false, true)
      return state.underWay
    }
  }
}
