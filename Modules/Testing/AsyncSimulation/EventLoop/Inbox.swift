import AsyncPatterns
import SwiftTasks
import Synchronization

/// The work that threads without the baton leave for the event loop.
final class Inbox: Sendable {
  typealias Mail = @Sendable (EventLoop) -> Void

  /// Work that came from outside the simulation.
  struct Stray: Sendable {
    /// The span of the thread that left the work; `.none` if the thread runs for no span.
    var span: Span
    /// The Swift job that the work makes ready, if there is one.
    var job: SwiftJob?
  }

  struct Contents: Sendable {
    var mail: [Mail] = []
    /// The work that came from outside while the loop ran.
    var strays: [Stray] = []
    var isInterrupted = false
  }

  private struct State: Sendable {
    var contents = Contents()
    var isRunning = false
    /// Whether the current run is the last one.
    var isRetired = false
    /// Whether no mail will be taken out again.
    var isClosed = false
    /// The gate at which the loop waits for mail; nil until it first waits.
    var gate: Gate?
  }

  private let state = Locked(State())
  private let hasMail = Atomic<Bool>(false)

  /// Whether there is nothing to take. It is cheap enough to check before each event.
  var isEmpty: Bool { !hasMail.load(ordering: .acquiring) }

  /// Whether a run is under way.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Leaves mail for the loop, from the span that the calling thread runs for.
  ///
  /// - Parameter job: the job that the mail makes ready, if there is one.
  func post(_ mail: @escaping Mail, for job: SwiftJob? = nil) {
    let span = LaneContext.current.span
    let gate = state.withLock { state -> Gate? in
      if state.isClosed { return nil }
      state.contents.mail.append(mail)
      if state.isRunning { state.contents.strays.append(Stray(span: span, job: job)) }
      hasMail.store(true, ordering: .releasing)
      return state.gate
    }
    gate?.open()
  }

  /// Stops the loop before its next event, if a run is in progress.
  func interrupt() {
    let gate = state.withLock { state -> Gate? in
      guard state.isRunning else { return nil }
      state.contents.isInterrupted = true
      hasMail.store(true, ordering: .releasing)
      return state.gate
    }
    gate?.open()
  }

  /// Closes the inbox, so that it accepts no more mail.
  ///
  /// - Returns: the mail that it holds.
  func close() -> [Mail] {
    state.withLock { state in
      defer { state.contents = Contents() }
      state.isClosed = true
      hasMail.store(false, ordering: .releasing)
      return state.contents.mail
    }
  }

  /// Notes that no further run will start.
  ///
  /// - Returns: whether to close the inbox now. It is false if a run is in progress: then `endRun` returns whether to
  ///   close it. It is also false if the inbox is closed already.
  func retire() -> Bool {
    state.withLock { state in
      state.isRetired = true
      return !state.isRunning && !state.isClosed
    }
  }

  func take() -> Contents {
    state.withLock { state in
      defer { state.contents = Contents() }
      hasMail.store(false, ordering: .releasing)
      return state.contents
    }
  }

  /// Waits until mail comes, but no longer than `milliseconds` of real time.
  ///
  /// - Returns: whether mail came.
  func wait(milliseconds: Int) -> Bool {
    let gate = state.withLock { state in
      let gate = state.gate ?? Gate()
      state.gate = gate
      return gate
    }
    while isEmpty {
      if !gate.wait(milliseconds: milliseconds) { return !isEmpty }
    }
    return true
  }

  /// Starts a run.
  ///
  /// - Returns: false if a run is in progress already.
  func beginRun() -> Bool {
    state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
  }

  /// Ends the run.
  ///
  /// - Returns: whether that was the last run, so that the inbox must be closed.
  func endRun() -> Bool {
    state.withLock { state in
      state.isRunning = false
      state.contents.isInterrupted = false
      return state.isRetired && !state.isClosed
    }
  }
}
