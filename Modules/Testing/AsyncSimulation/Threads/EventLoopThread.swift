import AsyncPatterns
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that runs the event loop of a simulation while it holds the baton.
///
/// A thread that is blocked by its job stays with that job, and the loop continues on another thread. A thread that has
/// returned from a loop waits here for the next loop, of any simulation.
final class EventLoopThread: Sendable {
  private static let idle = Locked<[EventLoopThread]>([])
  /// How many threads may wait for a loop. More would rarely be of use, since few runs need many at the same time.
  private static let idleLimit = 16

  /// How many threads there are.
  static let threadCount = Atomic<Int>(0)

  private let gate = Gate()
  private let assignment: Locked<(@Sendable () -> Void)?>

  private init(_ work: @escaping @Sendable () -> Void) { assignment = Locked(work) }

  /// Runs `work` on a free thread, or on a new one.
  static func start(_ work: @escaping @Sendable () -> Void) {
    if let thread = idle.withLock({ $0.popLast() }) {
      thread.assignment.withLock { $0 = work }
      thread.gate.open()
    } else {
      EventLoopThread(work).startThread()
    }
  }

  private func startThread() {
    // Incremented first, since the new thread itself may read the count.
    Self.threadCount.add(1, ordering: .relaxed)
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self).toOpaque()
    let error = pthread_create(&thread, nil, eventLoopThreadMain, box)
    precondition(
      error == 0,
      "The system has no thread left for the simulation (error \(error)): too many jobs are blocked"
    )
    pthread_detach(thread)
  }

  /// Ends the calling thread in the middle of its job. The objects on its stack leak.
  static func exit() -> Never {
    threadCount.subtract(1, ordering: .relaxed)
    pthread_exit(nil)
  }

  fileprivate func run() {
    repeat {
      takeAssignment()?()
    } while waitForAnother()
    Self.threadCount.subtract(1, ordering: .relaxed)
  }

  private func takeAssignment() -> (@Sendable () -> Void)? {
    assignment.withLock { assignment in
      defer { assignment = nil }
      return assignment
    }
  }

  private func waitForAnother() -> Bool {
    let stays = Self.idle.withLock { idle in
      guard idle.count < Self.idleLimit else { return false }
      idle.append(self)
      return true
    }
    if stays { gate.wait() }
    return stays
  }
}

private func eventLoopThreadMain(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let box else { return nil }
  Unmanaged<EventLoopThread>.fromOpaque(box).takeRetainedValue().run()
  return nil
}
