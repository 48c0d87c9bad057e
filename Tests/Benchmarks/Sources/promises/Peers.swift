import Dispatch
import NIOCore
import NIOPosix
import Promises

/// Where each of those who are measured has its handlers run.
struct Peers: Sendable {
  let scheduler: any Scheduler = LiveRuntime.shared.serial("promises")
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  let loop: any EventLoop
  let queue = DispatchQueue(label: "promises")
  let pool = DispatchQueue(label: "pool", attributes: .concurrent)

  static let promise = "Promise"
  static let nio = "EventLoopFuture"
  static let combine = "OpenCombine's Future"
  static let task = "tasks"
  static let dispatch = "Dispatch"

  init() { loop = group.next() }

  var placement: Placement { .scheduler(scheduler) }

  /// Does something on the event loop, and tells how long that took.
  func timeOnLoop(_ body: @escaping @Sendable () -> Void) throws -> Duration {
    try loop.submit { ContinuousClock().measure(body) }.wait()
  }

  /// Waits for an asynchronous function on a thread that is none of the tasks'.
  static func wait(for body: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      await body()
      end.signal()
    }
    end.waitAMinute()
  }
}
