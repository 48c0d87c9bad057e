internal import AsyncPatterns

/// Lets go of old pictures off the main lane: giving back their memory takes a while.
final class ReleaseQueue: Sendable {
  private let queue: any Scheduler
  private let pictures = Locked<[Picture]>([])

  init(on runtime: any Runtime) { queue = runtime.serial("display-release") }

  /// - Complexity: O(1); one job for all that come before it runs.
  func release(_ picture: consuming Picture) {
    let isFirst = pictures.withLock { [picture] pictures in
      pictures.append(picture)
      return pictures.count == 1
    }
    guard isFirst else { return }
    queue.schedule { [self] in
      // Out of the lock before they go.
      let released = pictures.withLock { pictures in
        defer { pictures = [] }
        return pictures
      }
      withExtendedLifetime(released) {}
    }
  }
}
