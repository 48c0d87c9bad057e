internal import CSwiftTasks

/// A Dispatch queue that a program uses in a simulation.
public struct DispatchQueueID: Hashable, @unchecked Sendable {
  // Safe to share: Dispatch queues can be used from any thread.
  let pointer: UnsafeRawPointer

  public enum Kind: Sendable {
    /// The main queue.
    case main
    /// A queue whose closures never overlap.
    case serial
    /// A global queue, or a concurrent queue that the program made.
    case concurrent
  }

  public var kind: Kind {
    switch swift_tasks_queueKind(pointer) {
    case SwiftTasksQueueMain: .main
    case SwiftTasksQueueSerial: .serial
    default: .concurrent
    }
  }

  public var label: String { String(cString: swift_tasks_queueLabel(pointer)) }

  /// Keeps the queue in memory until ``release()``.
  public func retain() { swift_tasks_retainQueue(pointer) }
  public func release() { swift_tasks_releaseQueue(pointer) }
}

/// A closure that a program has handed to a Dispatch queue.
///
/// It must be run exactly once. If it is never run, its memory leaks.
public struct DispatchItem: @unchecked Sendable {
  // Safe to share: Dispatch may run it on any thread.
  public let queue: DispatchQueueID
  let context: UnsafeMutableRawPointer?
  let function: @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The function that the closure calls.
  public var address: CodeAddress? {
    swift_tasks_functionOfItem(context, function).map(CodeAddress.init)
  }

  /// Runs the closure on the calling thread. Meanwhile the thread counts as the queue’s thread.
  public func run() {
    let simulation = swift_tasks_getCurrent()
    let outer = simulation?.pointee.queue
    simulation?.pointee.queue = queue.pointer
    function(context)
    simulation?.pointee.queue = outer
  }
}
