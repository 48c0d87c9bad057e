import AsyncPatterns
import Foundation

/// Why this process does not use the user's cache of plugins.
enum CacheRefusal {
  private struct State {
    var sentence: String?
    var isTaken = false
  }

  private static let state = Locked(State())

  /// Records the reason for the first refused folder.
  static func note(_ folder: String) {
    let sentence = sentence(folder)
    state.withLock { state in
      if state.sentence == nil { state.sentence = sentence }
    }
  }

  /// The reason and the fix, in a sentence. Nil if the cache is used, or if the sentence was taken before.
  static func take() -> String? {
    state.withLock { state in
      guard let sentence = state.sentence, !state.isTaken else { return nil }
      state.isTaken = true
      return sentence
    }
  }

  private static func sentence(_ folder: String) -> String {
    var information = stat()
    let reason: String
    if stat(folder, &information) != 0 {
      reason = "it cannot be created (\(String(cString: strerror(errno))))"
    } else if information.st_mode & S_IFMT != S_IFDIR {
      reason = "it is not a folder"
    } else if information.st_uid != geteuid() {
      reason = "it belongs to another user"
    } else if access(folder, W_OK | X_OK) != 0 {
      reason = "it cannot be written to (\(String(cString: strerror(errno))))"
    } else {
      reason = "other users may write to it"
    }
    return
      "compiled plugins are not kept for the next start, because the cache “\(folder)” cannot be used: \(reason); "
      + "repair or remove that folder, or set XDG_CACHE_HOME to a folder of your own"
  }
}

extension PluginLibrary {
  /// Why the user's cache is not used, and what to do, in a sentence. Each process gets the sentence once. Nil if the
  /// cache is used.
  public func takeRemarkOnCache() -> String? { CacheRefusal.take() }
}
