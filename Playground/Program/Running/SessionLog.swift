import AsyncPatterns
import Dispatch
import TimingTrace

/// The runs and comparisons of a session, finished and in progress. It can be read on any thread, since the code that
/// ends the program cannot wait for the main lane.
final class SessionLog: Sendable {
  /// A run in progress.
  struct UnderWay: Sendable {
    let ticket: Ticket
    let execution: any Execution
    /// Its number among the background runs.
    let job: Int?
  }

  /// The identity of a run in progress.
  struct Ticket: Sendable, Hashable {
    let number: Int
    /// Its number in the file that the session's runs are saved to, if its start has been written there.
    let entry: Int?
  }

  private struct State: Sendable {
    var runs: [FinishedRun] = []
    var comparisons: [Comparison] = []
    var comparedRuns: [SavedRun] = []
    var underWay: [UnderWay] = []
    var tickets = 0
    /// Whether runs may start.
    var isOpen = true
    var isClosed = false
  }

  private let state = Locked(State())
  /// The calls of `begin` that have started a run but have not recorded it yet.
  private let beginning = DispatchGroup()
  /// Writes the runs to a file while they run, if they are to be saved.
  let journal: RunJournal?

  init(journal: RunJournal? = nil) { self.journal = journal }

  /// The runs that have finished, in the order in which they finished.
  var runs: [FinishedRun] { state.withLock { $0.runs } }
  /// All comparisons so far, and the runs of files that were compared, for a report.
  var comparisons: [Comparison] { state.withLock { $0.comparisons } }
  var comparedRuns: [SavedRun] { state.withLock { $0.comparedRuns } }
  /// The runs in progress, in the order in which they started.
  var underWay: [UnderWay] { state.withLock { $0.underWay } }

  func add(_ comparison: Comparison) { state.withLock { $0.comparisons.append(comparison) } }
  func add(compared runs: [SavedRun]) { state.withLock { $0.comparedRuns += runs } }

  /// Starts a run with `start`, and records it.
  ///
  /// - Returns: nil if the program is ending: nothing would end or report the run.
  func begin(job: Int? = nil, _ start: () -> any Execution) -> UnderWay? {
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
      let begun = UnderWay(ticket: ticket, execution: execution, job: job)
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
  /// - Returns: the run with its number. Nil if the log has been closed; the code that closed it then handles the run.
  func add(_ run: FinishedRun) -> FinishedRun? {
    let added = state.withLock { state -> FinishedRun? in
      guard !state.isClosed else { return nil }
      var run = run
      run.number = state.runs.count + 1
      state.runs.append(run)
      if let ticket = run.ticket { state.underWay.removeAll { $0.ticket == ticket } }
      return run
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
