import AsyncPatterns
import Synchronization

/// What threads that do not hold the baton have for the event loop.
final class Inbox: Sendable {
  typealias Mail = @Sendable (EventLoop) -> Void

  struct Contents: Sendable {
    var mail: [Mail] = []
    /// On whose behalf those were left that came from elsewhere while the loop ran.
    var strays: [Span] = []
    var isInterrupted = false
  }

  private struct State: Sendable {
    var contents = Contents()
    var isRunning = false
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
  func post(_ mail: @escaping Mail) {
    let span = LaneContext.current.span
    let gate = state.withLock { state -> Gate? in
      if state.isClosed { return nil }
      state.contents.mail.append(mail)
      if state.isRunning { state.contents.strays.append(span) }
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

  /// Takes nothing any more, and forgets what is there.
  func close() {
    let left = state.withLock { state in
      defer { state.contents = Contents() }
      state.isClosed = true
      return state.contents
    }
    // Out of the lock before it is released: what it holds may run code of its own.
    _ = left
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

  func endRun() {
    state.withLock { state in
      state.isRunning = false
      state.contents.isInterrupted = false
    }
  }
}
