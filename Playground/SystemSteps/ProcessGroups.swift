import AsyncPatterns
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process groups of the commands that run now. They are recorded so that no command outlives the program.
///
/// A group is recorded from the start of its leader until just before the leader is reaped. Until then the ID belongs
/// to the group, so a signal cannot reach another process.
public enum ProcessGroups {
  private struct State {
    var groups: Set<pid_t> = []
    var isClosed = false
  }

  private static let state = Locked(State())
  /// Counts the commands that are about to start and whose groups are not recorded yet.
  private static let starting = DispatchGroup()

  /// Kills all groups, and prevents further commands from starting. Must be called when the program ends; any thread
  /// can call it.
  ///
  /// - Parameter grace: how long to wait for commands to end by themselves before the others are killed.
  public static func end(after grace: Duration = .zero) {
    let deadline = ContinuousClock.now + grace
    state.withLock { $0.isClosed = true }
    while ContinuousClock.now < deadline, !state.withLock({ $0.groups.isEmpty }) {
      poll(nil, 0, 5)
    }
    state.withLock { state in
      for group in state.groups { killpg(group, SIGKILL) }
    }
    // A command that is being started is killed as soon as its group is recorded, which takes a few milliseconds.
    _ = starting.wait(timeout: .now() + .seconds(1))
  }

  /// Must be called before a command is started. Returns false if the program is ending. Otherwise `started` or
  /// `notStarted` must be called next.
  static func willStart() -> Bool {
    state.withLock { state in
      if !state.isClosed { starting.enter() }
      return !state.isClosed
    }
  }

  /// Must be called when the leader runs. The leader must not be reaped before `remove` has returned.
  static func started(_ group: pid_t) {
    state.withLock { state in
      state.groups.insert(group)
      if state.isClosed { killpg(group, SIGKILL) }
    }
    starting.leave()
  }

  static func notStarted() { starting.leave() }

  /// Must be called after the leader has ended and before it is reaped.
  static func remove(_ group: pid_t) { _ = state.withLock { $0.groups.remove(group) } }
}
