import Dispatch
import NIOCore
import NIOPosix
import Promises

/// The places where the measured implementations run their handlers.
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
  static let promiseKit = "PromiseKit"

  init() { loop = group.next() }

  var placement: Placement { .scheduler(scheduler) }

  /// Runs `body` on the event loop and returns its time.
  func timeOnLoop(_ body: @escaping @Sendable () -> Void) throws -> Duration {
    try loop.submit { ContinuousClock().measure(body) }.wait()
  }

  /// Blocks the calling thread until an asynchronous function has returned. Do not call it on a thread that runs tasks.
  static func wait(for body: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      await body()
      end.signal()
    }
    end.waitAMinute()
  }
}
