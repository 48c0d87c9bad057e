internal import AsyncRuntime

/// The place where an operation runs: a queue, or on its own.
enum AsyncOperationHome: Sendable {
  case queue(AsyncOperationQueueStorage)
  case own(Placement, any Runtime)

  var runtime: any Runtime {
    switch self {
    case .queue(let queue): queue.runtime
    case .own(_, let runtime): runtime
    }
  }
}
