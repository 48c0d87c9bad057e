import AsyncPatterns
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that carries the event loop of a simulation, for as long as it has the baton.
///
/// Whose job parks it keeps it; the loop goes on with another. Those that have come back from a loop
/// wait here for the next one, whichever simulation it is of.
final class Carrier: Sendable {
  private static let idle = Locked<[Carrier]>([])
  /// More than these wait for nothing: a run that needs many at once is rare.
  private static let idleLimit = 16

  /// How many threads there are.
  static let threadCount = Atomic<Int>(0)

  private let gate = Gate()
  private let assignment: Locked<(@Sendable () -> Void)?>

  private init(_ work: @escaping @Sendable () -> Void) { assignment = Locked(work) }

  /// Runs `work` on a carrier that is free, or a new one.
  static func start(_ work: @escaping @Sendable () -> Void) {
    if let carrier = idle.withLock({ $0.popLast() }) {
      carrier.assignment.withLock { $0 = work }
      carrier.gate.open()
    } else {
      Carrier(work).startThread()
    }
  }

  private func startThread() {
    // Counted first, since the thread itself may ask for the count.
    Self.threadCount.add(1, ordering: .relaxed)
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self).toOpaque()
    let error = pthread_create(&thread, nil, carrierMain, box)
    precondition(
      error == 0,
      "The machine has no thread left for the simulation (error \(error)): too many jobs stand parked"
    )
    pthread_detach(thread)
  }

  /// Ends the calling thread in the middle of the job that it runs, which leaks what its stack holds.
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

private func carrierMain(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let box else { return nil }
  Unmanaged<Carrier>.fromOpaque(box).takeRetainedValue().run()
  return nil
}
