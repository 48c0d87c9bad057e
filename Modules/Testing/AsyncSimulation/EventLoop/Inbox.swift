import AsyncPatterns
import SwiftTasks
import Synchronization

/// What threads that do not hold the baton have for the event loop.
final class Inbox: Sendable {
  typealias Mail = @Sendable (EventLoop) -> Void

  /// Something that came from elsewhere.
  struct Stray: Sendable {
    /// The span of the thread that left it; `.none` if it runs for none.
    var span: Span
    /// The job of Swift's that it made ready, if it is that.
    var job: SwiftJob?
  }

  struct Contents: Sendable {
    var mail: [Mail] = []
    /// What came from elsewhere while the loop ran.
    var strays: [Stray] = []
    var isInterrupted = false
  }

  private struct State: Sendable {
    var contents = Contents()
    var isRunning = false
    /// Whether the run that is under way is the last.
    var isRetired = false
    /// Whether nobody will ever take anything out again.
    var isClosed = false
    /// Where the loop waits for mail, once it has had to.
    var gate: Gate?
  }

  private let state = Locked(State())
  private let hasMail = Atomic<Bool>(false)

  /// Whether to call `take`: cheap enough to ask before each event.
  var isEmpty: Bool { !hasMail.load(ordering: .acquiring) }

  /// Whether a run is under way.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Leaves something on behalf of whoever the calling thread runs for.
  ///
  /// - Parameter job: the job that the mail makes ready, if it does that.
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

  /// Stops the loop before its next event, if it runs.
  func interrupt() {
    let gate = state.withLock { state -> Gate? in
      guard state.isRunning else { return nil }
      state.contents.isInterrupted = true
      hasMail.store(true, ordering: .releasing)
      return state.gate
    }
    gate?.open()
  }

  /// Takes nothing any more.
  ///
  /// - Returns: what is there.
  func close() -> [Mail] {
    state.withLock { state in
      defer { state.contents = Contents() }
      state.isClosed = true
      hasMail.store(false, ordering: .releasing)
      return state.contents.mail
    }
  }

  /// No run is to begin any more.
  ///
  /// - Returns: whether to close it now; if a run is under way, `endRun` tells when, and if it is closed,
  ///   nobody is to do so again.
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

  /// Waits until something comes, but no longer than `milliseconds` of real time; whether it came.
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

  /// Whether the loop was not running yet.
  func beginRun() -> Bool {
    state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
  }

  /// - Returns: whether that was the last, so that it is to be closed.
  func endRun() -> Bool {
    state.withLock { state in
      state.isRunning = false
      state.contents.isInterrupted = false
      return state.isRetired && !state.isClosed
    }
  }
}
