import AsyncPatterns
import Dispatch
import TimingTrace

/// What a session has come to, and what goes on in it: known on every thread, since whoever ends the program
/// cannot wait for the main lane.
final class SessionLog: Sendable {
  /// A run that goes on.
  struct UnderWay: Sendable {
    let ticket: Ticket
    let execution: any Execution
    /// Its number among the runs in the background.
    let job: Int?
  }

  /// What a run is known by while it goes on.
  struct Ticket: Sendable, Hashable {
    let number: Int
    /// Its number in the file that the session's runs are saved to, if its start is there.
    let entry: Int?
  }

  private struct State: Sendable {
    var runs: [FinishedRun] = []
    var comparisons: [Comparison] = []
    var comparedRuns: [SavedRun] = []
    var underWay: [UnderWay] = []
    var tickets = 0
    /// Whether runs may begin.
    var isOpen = true
    var isClosed = false
  }

  private let state = Locked(State())
  /// Those who are between starting a run and having told of it.
  private let beginning = DispatchGroup()
  /// Writes the runs to a file while they go on, if they are to be saved.
  let journal: RunJournal?

  init(journal: RunJournal? = nil) { self.journal = journal }

  /// The runs that have finished, in the order in which they did.
  var runs: [FinishedRun] { state.withLock { $0.runs } }
  /// All that were made, for a report, and the runs of files that were compared.
  var comparisons: [Comparison] { state.withLock { $0.comparisons } }
  var comparedRuns: [SavedRun] { state.withLock { $0.comparedRuns } }
  /// The runs that go on, in the order in which they began.
  var underWay: [UnderWay] { state.withLock { $0.underWay } }

  func add(_ comparison: Comparison) { state.withLock { $0.comparisons.append(comparison) } }
  func add(compared runs: [SavedRun]) { state.withLock { $0.comparedRuns += runs } }

  /// A run begins, which `start` starts.
  ///
  /// - Returns: nil if the program ends: nobody would end the run, nor tell of it.
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

  /// No run begins any more, and those that have begun are under way.
  func stopBeginning() {
    state.withLock { $0.isOpen = false }
    _ = beginning.wait(timeout: .now() + .milliseconds(250))
  }

  /// A run has ended, or somebody has come upon it.
  ///
  /// - Returns: the run with its number; nil if the log has been closed, and the run is somebody else's.
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

  /// Closes it: what goes on is the caller's to end, and no further run is added.
  func close() -> [UnderWay] {
    state.withLock { state in
      defer { state.underWay = [] }
      (state.isOpen, state.isClosed) = (false, true)
      return state.underWay
    }
  }
}
