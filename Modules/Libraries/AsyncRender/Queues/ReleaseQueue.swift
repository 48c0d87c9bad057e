internal import AsyncRuntime

/// Releases old pictures off the main lane, because freeing their memory takes a while.
///
/// A lane that has finished a drawing releases them, which saves waking another thread. If no drawing is in progress,
/// or if more than `patience` bytes are waiting, a separate lane releases them.
final class ReleaseQueue: Sendable {
  private struct State: Sendable {
    var pictures: [Picture] = []
    var bytes = 0
    /// The number of drawings in progress. Each one releases the pictures when it ends.
    var drawing = 0
    var isScheduled = false

    mutating func takeAll() -> [Picture] {
      defer { (pictures, bytes) = ([], 0) }
      return pictures
    }
  }

  /// The number of bytes that may wait for a drawing to end, since a drawing can take long.
  static let patience = 1 << 22

  private let queue: any Scheduler
  private let state = Locked(State())

  init(on runtime: any Runtime) { queue = runtime.serial("display-release") }

  /// - Complexity: O(1); one job for all pictures that arrive before it runs.
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
      // The pictures are freed after unlocking.
      let released = state.withLock { state in
        state.isScheduled = false
        return state.takeAll()
      }
      withExtendedLifetime(released) {}
    }
  }

  /// A drawing starts. Its end calls ``endDrawing()``.
  func beginDrawing() { state.withLock { $0.drawing += 1 } }

  /// A drawing has ended. Releases the pictures that arrived meanwhile.
  func endDrawing() {
    let released = state.withLock { state in
      state.drawing -= 1
      return state.isScheduled ? [] : state.takeAll()
    }
    withExtendedLifetime(released) {}
  }
}
