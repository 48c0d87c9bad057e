internal import CSwiftTasks

/// A queue of Dispatch that a program uses in a simulation.
public struct DispatchQueueID: Hashable, @unchecked Sendable {
  // Safe to share: the queue itself is.
  let pointer: UnsafeRawPointer

  public enum Kind: Sendable {
    /// The main queue.
    case main
    /// What it runs never overlaps.
    case serial
    /// A global queue, or one of the program’s own that is concurrent.
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

  /// Keeps it in memory until ``release()``.
  public func retain() { swift_tasks_retainQueue(pointer) }
  public func release() { swift_tasks_releaseQueue(pointer) }
}

/// A closure that a program has handed to a queue of Dispatch.
///
/// It must be run exactly once, or its memory leaks.
public struct DispatchItem: @unchecked Sendable {
  // Safe to share: Dispatch may run it on any thread.
  public let queue: DispatchQueueID
  let context: UnsafeMutableRawPointer?
  let function: @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The function that it calls.
  public var address: CodeAddress? {
    swift_tasks_functionOfItem(context, function).map(CodeAddress.init)
  }

  /// Runs it on the calling thread, which counts as the queue’s meanwhile.
  public func run() {
    let simulation = swift_tasks_getCurrent()
    let outer = simulation?.pointee.queue
    simulation?.pointee.queue = queue.pointer
    function(context)
    simulation?.pointee.queue = outer
  }
}
