internal import AsyncRuntime

/// Lets go of old pictures off the main lane: giving back their memory takes a while.
///
/// Whoever draws lets go of them when it has drawn, which saves waking another thread for it. Where nobody draws, or
/// more has come than is to wait until then, a lane of its own does.
final class ReleaseQueue: Sendable {
  private struct State: Sendable {
    var pictures: [Picture] = []
    var bytes = 0
    /// How many draw just now: each comes by when it has drawn.
    var drawing = 0
    var isScheduled = false

    mutating func takeAll() -> [Picture] {
      defer { (pictures, bytes) = ([], 0) }
      return pictures
    }
  }

  /// So many bytes wait for who draws, which may take its time.
  static let patience = 1 << 22

  private let queue: any Scheduler
  private let state = Locked(State())

  init(on runtime: any Runtime) { queue = runtime.serial("display-release") }

  /// - Complexity: O(1); one job for all that come before it runs.
  func release(_ picture: consuming Picture) {
    let isDue = state.withLock { [picture] state in
      state.pictures.append(picture)
      state.bytes += picture.bytesPerRow * picture.height
      guard !state.isScheduled, state.drawing == 0 || state.bytes > Self.patience else {
        return false
      }
      state.isScheduled = true
      return true
    }
    guard isDue else { return }
    queue.schedule { [self] in
      // Out of the lock before they go.
      let released = state.withLock { state in
        state.isScheduled = false
        return state.takeAll()
      }
      withExtendedLifetime(released) {}
    }
  }

  /// Somebody begins to draw, and will tell when that is over.
  func beginDrawing() { state.withLock { $0.drawing += 1 } }

  /// Somebody has drawn, and lets go of what has come meanwhile.
  func endDrawing() {
    let released = state.withLock { state in
      state.drawing -= 1
      return state.isScheduled ? [] : state.takeAll()
    }
    withExtendedLifetime(released) {}
  }
}
