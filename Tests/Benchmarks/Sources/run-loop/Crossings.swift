import AsyncRuntime
import CoreFoundation
import Dispatch
import Foundation
import Measuring
import RunLoopTransaction
import Synchronization

/// The time from a commit on one thread to the action on another thread, whose run loop waits.
enum Crossings {
  private static let count = 500

  static func measure() throws -> [Ranking] {
    let loop = LiveRuntime.shared.runLoop("crossings")
    let queue = TransactionQueue(on: loop)
    let target = Target()
    // On the same thread, because the core of a thread decides how fast it wakes up.
    let bare = BareWakeUp(of: loop)
    let contestants = [
      crossing("Transaction.commit") { arrive in
        Transaction(target, "arrive") { _ in arrive() }.commit(to: queue)
      },
      crossing("CFRunLoopWakeUp and an observer") { arrive in bare.wake(arrive) },
      crossing("a job of the loop") { arrive in loop.schedule(arrive) },
      crossing("a serial Dispatch queue") { [dispatch = DispatchQueue(label: "crossings")] arrive in
        dispatch.async(execute: arrive)
      },
    ]
    let times = try Contestant.times(of: contestants, rounds: 31)
    return [
      Ranking(
        "from one thread to the other, median",
        zip(contestants, times).map { (name: $0.name, times: $1) }, count: 1,
        targets: ["CFRunLoopWakeUp and an observer": 1.2])
    ]
  }

  /// The median of many crossings. The other thread waits before each of them.
  private static func crossing(
    _ name: String, _ send: @escaping (_ arrive: @escaping @Sendable () -> Void) -> Void
  ) -> Contestant {
    Contestant(name) {
      let arrived = DispatchSemaphore(value: 0)
      let arrival = Locked(ContinuousClock.now)
      let times = (0..<count).map { _ in
        let start = ContinuousClock.now
        send {
          let now = ContinuousClock.now
          arrival.withLock { $0 = now }
          arrived.signal()
        }
        arrived.wait()
        let time = start.duration(to: arrival.withLock { $0 })
        // Gives the other thread time to start waiting.
        let rest = ContinuousClock.now + .microseconds(20)
        while ContinuousClock.now < rest {}
        return time
      }
      return times.sorted()[count / 2]
    }
  }
}

/// A minimal implementation: wakes a run loop, which performs the action before it waits again.
private final class BareWakeUp: @unchecked Sendable {
  // Safe to share: CoreFoundation locks its run loops, and a lock protects the waiting action.
  private let loop: CFRunLoop
  private let waiting: Locked<(@Sendable () -> Void)?>

  init(of scheduler: any RunLoopScheduler) {
    let waiting = Locked<(@Sendable () -> Void)?>(nil)
    let ready = DispatchSemaphore(value: 0)
    let made = Locked<Unchecked?>(nil)
    scheduler.schedule {
      let observer = CFRunLoopObserverCreateWithHandler(
        nil, CFRunLoopActivity([.beforeWaiting, .exit]).rawValue, true, 0xFF_FFFF
      ) { _, _ in
        let body = waiting.withLock { waiting in
          defer { waiting = nil }
          return waiting
        }
        body?()
      }
      CFRunLoopAddObserver(CFRunLoopGetCurrent(), observer, kCFRunLoopCommonModes)
      made.withLock { $0 = Unchecked(loop: CFRunLoopGetCurrent()) }
      ready.signal()
    }
    ready.wait()
    self.waiting = waiting
    loop = made.withLock { $0!.loop }
  }

  func wake(_ body: @escaping @Sendable () -> Void) {
    waiting.withLock { $0 = body }
    CFRunLoopWakeUp(loop)
  }

  private struct Unchecked: @unchecked Sendable {
    let loop: CFRunLoop
  }
}
