import AsyncPatterns
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process groups of the commands that run now, so that none of them outlives the program.
///
/// A group is among them from when its leader has been started until it is to be reaped. Until then its
/// number is its own, and nobody else is hit.
public enum ProcessGroups {
  private struct State {
    var groups: Set<pid_t> = []
    var isClosed = false
  }

  private static let state = Locked(State())
  /// Those who are between asking to start a command and having told its group.
  private static let starting = DispatchGroup()

  /// Kills all of them, for certain; from now on no command starts. To be called where the program ends, on
  /// any thread.
  ///
  /// - Parameter grace: how long to wait before it, for those that end by themselves.
  public static func end(after grace: Duration = .zero) {
    let deadline = ContinuousClock.now + grace
    state.withLock { $0.isClosed = true }
    while ContinuousClock.now < deadline, !state.withLock({ $0.groups.isEmpty }) {
      poll(nil, 0, 5)
    }
    state.withLock { state in
      for group in state.groups { killpg(group, SIGKILL) }
    }
    // Who is starting one kills it as soon as it is there, and it is there after some milliseconds.
    _ = starting.wait(timeout: .now() + .seconds(1))
  }

  /// Somebody is about to start a command; false if the program ends. Otherwise `started` or `notStarted` follows.
  static func willStart() -> Bool {
    state.withLock { state in
      if !state.isClosed { starting.enter() }
      return !state.isClosed
    }
  }

  /// The leader is there, and not reaped before `remove` has returned.
  static func started(_ group: pid_t) {
    state.withLock { state in
      state.groups.insert(group)
      if state.isClosed { killpg(group, SIGKILL) }
    }
    starting.leave()
  }

  static func notStarted() { starting.leave() }

  /// The leader has ended, and is to be reaped.
  static func remove(_ group: pid_t) { _ = state.withLock { $0.groups.remove(group) } }
}
