/// One event of a task, as a recording contains it.
public struct TaskRecord: Sendable {
  public enum Kind: Sendable {
    /// `other` made the task, which may be a child of `parent`. Tasks with the same number `place`
    /// were made at the same place; 0 is none.
    case created(parent: UInt32, flags: TaskFlags, place: UInt16)
    /// The task belongs to the group `other`.
    case group
    /// The task starts in `function`. The call that made it returns to `site`; 0 if that is not
    /// known. Recorded only for the first task with each number `place`, and for tasks without one.
    case site(function: UInt, site: UInt)
    /// The function that made the task returns to this address. Recorded for the same tasks as
    /// `site`.
    case caller(UInt)
    /// Two words of the closure that the task calls. Recorded for the same tasks as `site`.
    case closure(UInt, UInt)
    /// Some bytes of the task’s name.
    case name([UInt8])
    /// `other` made the task ready.
    case ready
    /// The task will wake `other` after this many nanoseconds.
    case sleeps(Int64)
    /// The task runs on an executor, an object whose first word is `type`; 0 is the pool. `other` is 1 if no code refers
    /// to the task any more.
    case started(executor: UInt, type: UInt)
    case suspended(Dependency)
    /// The task has completed with this outcome; nil if the outcome is not known.
    case completed(Outcome?)
    /// The outcome of a task whose completion was recorded before.
    case outcome(Outcome?)
    /// `other` cancelled the task.
    case cancelled
    /// `other` cancelled a group. `task` is the number of the group.
    case groupCancelled
    /// The task blocks its thread in a function. The name of the function is at this address.
    case blocked(function: UInt)
    case unblocked
    /// Two of the functions in which the task blocks, from the innermost to the outermost.
    case frames(UInt, UInt)
    /// Sixteen bytes of an event that a library reports, starting with byte number `other`.
    case library([UInt8])
    /// From now on the thread runs on behalf of a span of a library, and so do the tasks that start on the thread.
    /// `actor` is the span that acts while the thread runs no task. 0 is none.
    case onBehalf(span: UInt32, actor: UInt32)
    /// The buffer of a stream holds `count` values. `site` is the return address of the call that
    /// added the last one; 0 if a task is about to take a value.
    case buffer(storage: UInt, count: UInt32, site: UInt)
  }

  /// A dependency of a suspended task.
  public enum Dependency: Sendable {
    case unknown
    case task(UInt32)
    /// The function is the one of the runtime’s library in which the task waits; 0 if it waits in another function.
    case continuation(in: UInt)
    case group
    /// The task lets other tasks run first.
    case yield
    /// The task waits for an executor, an object whose first word is `type`; 0 is the pool. `holder` is the task that
    /// holds the executor; 0 if that is not known.
    case executor(UInt, type: UInt, holder: UInt32)
  }

  public enum Outcome: Sendable {
    case success
    /// The task threw an error. Its type has the descriptor at this address; 0 if there is none.
    case failure(descriptor: UInt)
  }

  /// A record with this time or a later one is not read, so that no sum of times overflows. The limit is more than 100
  /// years.
  static let timeLimit: Int64 = 1 << 62

  /// Nanoseconds since the recording began.
  public var time: Int64
  /// 0 is the main thread.
  public var thread: UInt32
  public var task: UInt32
  /// The number of another task, where 0 is none, unless the kind gives it another meaning.
  public var other: UInt32
  public var kind: Kind

  public init(time: Int64, thread: UInt32, task: UInt32, other: UInt32, kind: Kind) {
    self.time = time
    self.thread = thread
    self.task = task
    self.other = other
    self.kind = kind
  }
}
