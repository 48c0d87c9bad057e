import AsyncPatterns
import Dispatch

/// What Ctrl-C calls off, told on whatever thread hears it: a step may hold the main lane, and the session
/// with it.
///
/// A run that begins after Ctrl-C is called off as it begins, unless it is there to tell what was found
/// before.
final class Interruption: Sendable {
  private struct State: Sendable {
    /// What goes on in the foreground: a run, an exploration, the loading of plugins.
    var foreground: (any Cancellable)?
    /// What is being watched: Ctrl-C ends the watching alone.
    var watched: (any Cancellable)?
    /// The background runs that somebody waits for.
    var awaited: [any Execution] = []
    /// Whether the script has been interrupted.
    var isRaised = false
    /// Whether something has been called off.
    var hasCalledOff = false

    /// What is to be called off, now that somebody has pressed Ctrl-C.
    mutating func raise() -> [any Cancellable] {
      if let watched { return [watched] }
      isRaised = true
      let running: [any Cancellable] = foreground.map { [$0] } ?? awaited
      if !running.isEmpty { hasCalledOff = true }
      return running
    }
  }

  private let state = Locked(State())
  /// Those who are called off are told here, so that one who takes its time keeps nobody from hearing the
  /// next Ctrl-C.
  private let queue = DispatchQueue(label: "called off by Ctrl-C")

  /// Whether the script that goes on has been interrupted, so that nothing more of it is to begin.
  var isRaised: Bool { state.withLock { $0.isRaised } }
  /// Whether something has been called off since ``forget()``.
  var hasCalledOff: Bool { state.withLock { $0.hasCalledOff } }

  /// Ctrl-C: calls off what goes on in the foreground, or what is waited for. False if nothing is.
  @discardableResult
  func raise() -> Bool {
    let running = state.withLock { $0.raise() }
    guard !running.isEmpty else { return false }
    queue.async { for one in running { one.cancel() } }
    return true
  }

  /// Hands a signal that is to end the program on to what runs in the foreground.
  ///
  /// - Returns: whether that takes signals, and ends because of it.
  func passOn(_ signal: Int32) -> Bool {
    let foreground = state.withLock { $0.foreground }
    return (foreground as? any SignalReceiver)?.receive(signal) ?? false
  }

  /// A script begins.
  func reset() { state.withLock { $0.isRaised = false } }

  /// A block of the prompt begins, and what was called off before it does not count.
  func forget() { state.withLock { ($0.isRaised, $0.hasCalledOff) = (false, false) } }

  /// From now on Ctrl-C means `running`; it is called off at once if the script has been interrupted.
  ///
  /// - Parameter isLate: whether it is to go on all the same, until the next Ctrl-C.
  func begin(_ running: any Cancellable, evenIfRaised isLate: Bool = false) {
    let isOver = state.withLock { state in
      state.foreground = running
      guard state.isRaised, !isLate else { return false }
      state.hasCalledOff = true
      return true
    }
    if isOver { running.cancel() }
  }

  /// What went on in the foreground has ended.
  func end() { state.withLock { $0.foreground = nil } }

  /// Somebody watches what goes on in the background, until `watch(nil)`; Ctrl-C means the watching.
  func watch(_ watching: (any Cancellable)?) { state.withLock { $0.watched = watching } }

  /// Somebody waits for runs in the background, and Ctrl-C means them.
  func wait(for running: [any Execution]) {
    let isLate = state.withLock { state in
      state.awaited = running
      if state.isRaised, !running.isEmpty { state.hasCalledOff = true }
      return state.isRaised
    }
    if isLate { for one in running { one.cancel() } }
  }

  /// A run in the background has ended.
  func ended(_ execution: any Execution) {
    state.withLock { $0.awaited.removeAll { $0 === execution } }
  }
}

/// What takes the signals that are sent to the playground while it runs in the foreground.
protocol SignalReceiver: Sendable {
  /// - Returns: false if it does not take the signal.
  func receive(_ signal: Int32) -> Bool
}
