import AsyncPatterns
import Foundation

/// The processes and the temporary folders of the loader. They are recorded so that none outlives the program.
public enum LoaderRemains {
  private struct State {
    /// The sessions of the compilers and probes, by their leaders. A leader is not reaped while it is recorded.
    var sessions: Set<pid_t> = []
    var folders: Set<String> = []
    var hasEnded = false
  }

  private static let state = Locked(State())

  /// Kills the compilers and probes, removes the temporary folders, and prevents new ones. Must be called when the
  /// program ends; any thread can call it.
  public static func end() {
    state.withLock { state in
      state.hasEnded = true
      for session in state.sessions { ChildProcess.killSession(session) }
      for folder in state.folders { try? FileManager.default.removeItem(atPath: folder) }
      state.folders = []
    }
  }

  /// Whether the program is ending.
  static var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Starts a process that leads a session of its own. `removeSession` must be called before it is reaped.
  ///
  /// - Parameter spawn: starts the process. Returns its ID, or nil if it was not started.
  /// - Returns: what `spawn` returns; nil without calling it if the program is ending.
  static func startSession(_ spawn: () -> pid_t?) -> pid_t? {
    state.withLock { state in
      guard !state.hasEnded, let session = spawn() else { return nil }
      state.sessions.insert(session)
      return session
    }
  }

  static func removeSession(_ session: pid_t) {
    _ = state.withLock { $0.sessions.remove(session) }
  }

  /// Creates a temporary folder, unless the program is ending.
  static func makeFolder(_ folder: String) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.folders.insert(folder)
      _ = Files.make(folder)
    }
  }

  static func removeFolder(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
    _ = state.withLock { $0.folders.remove(folder) }
  }
}
