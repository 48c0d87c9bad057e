import AsyncPatterns
import Dispatch

/// The work that Ctrl-C cancels. It can be used from any thread, since a step may hold the main lane, and the session
/// with it.
///
/// A run that starts after Ctrl-C is cancelled as it starts, unless its purpose is to show what was found before.
final class Interruption: Sendable {
  private struct State: Sendable {
    /// The work in the foreground: a run, an exploration, or the loading of plugins.
    var foreground: (any Cancellable)?
    /// A task that draws a run or a program in progress. Ctrl-C ends the drawing alone.
    var watched: (any Cancellable)?
    /// The background runs that the script waits for.
    var awaited: [any Execution] = []
    /// Whether the script has been interrupted.
    var isRaised = false
    /// Whether some work has been cancelled.
    var hasCancelled = false

    /// Records a Ctrl-C, and returns the work to cancel.
    mutating func raise() -> [any Cancellable] {
      if let watched { return [watched] }
      isRaised = true
      let running: [any Cancellable] = foreground.map { [$0] } ?? awaited
      if !running.isEmpty { hasCancelled = true }
      return running
    }
  }

  private let state = Locked(State())
  /// Cancellation handlers run on this queue, so that a slow one does not delay the next Ctrl-C.
  private let queue = DispatchQueue(label: "cancellation by Ctrl-C")

  /// The work in the foreground: a run, an exploration, or the loading of plugins.
  var foreground: (any Cancellable)? { state.withLock { $0.foreground } }
  /// Whether the current script has been interrupted. Then it must not start anything more.
  var isRaised: Bool { state.withLock { $0.isRaised } }
  /// Whether some work has been cancelled since ``forget()``.
  var hasCancelled: Bool { state.withLock { $0.hasCancelled } }

  /// Handles Ctrl-C: cancels the work in the foreground, or the runs that the script waits for. False if there are
  /// none.
  @discardableResult
  func raise() -> Bool {
    let running = state.withLock { $0.raise() }
    guard !running.isEmpty else { return false }
    queue.async { for one in running { one.cancel() } }
    return true
  }

  /// Passes a signal that would end this program to the program that is being recorded, if there is one.
  ///
  /// - Returns: whether there is one.
  func passOn(_ signal: Int32) -> Bool {
    let foreground = state.withLock { $0.foreground }
    return (foreground as? any SignalReceiver)?.receive(signal) ?? false
  }

  /// Prepares for a new script.
  func reset() { state.withLock { $0.isRaised = false } }

  /// Prepares for a new block of the prompt. Earlier cancellations no longer count.
  func forget() { state.withLock { ($0.isRaised, $0.hasCancelled) = (false, false) } }

  /// Makes `running` the work that Ctrl-C cancels. Cancels it immediately if the script has been interrupted.
  ///
  /// - Parameter isLate: whether it runs even then, until the next Ctrl-C.
  func begin(_ running: any Cancellable, evenIfRaised isLate: Bool = false) {
    let isInterrupted = state.withLock { state in
      state.foreground = running
      guard state.isRaised, !isLate else { return false }
      state.hasCancelled = true
      return true
    }
    if isInterrupted { running.cancel() }
  }

  /// Must be called when the work in the foreground has ended.
  func end() { state.withLock { $0.foreground = nil } }

  /// Makes Ctrl-C end only `watching`, which draws work in the background. Nil restores the usual effect of Ctrl-C.
  func watch(_ watching: (any Cancellable)?) { state.withLock { $0.watched = watching } }

  /// Makes Ctrl-C cancel these background runs, since the script waits for them.
  func wait(for running: [any Execution]) {
    let isLate = state.withLock { state in
      state.awaited = running
      if state.isRaised, !running.isEmpty { state.hasCancelled = true }
      return state.isRaised
    }
    if isLate { for one in running { one.cancel() } }
  }

  /// Must be called when a background run has ended.
  func ended(_ execution: any Execution) {
    state.withLock { $0.awaited.removeAll { $0 === execution } }
  }
}

/// Work that itself handles the signals that would end the program.
protocol SignalReceiver: Cancellable {
  /// Handles a signal. False if the signal should end the program.
  func receive(_ signal: Int32) -> Bool
}

/// Work that a closure cancels.
final class CancellableWork: Cancellable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func cancel() { body() }
}
