internal import CSwiftTasks

/// An actor, or another serial executor, on which tasks run.
public struct SwiftExecutor: Hashable {
  let pointer: UnsafeRawPointer

  /// Whether it is the executor of the main actor.
  public var isMain: Bool {
    pointer == UnsafeRawPointer(Unmanaged.passUnretained(Executors.main).toOpaque())
  }

  /// Whether the executor of the main actor is an object of this type.
  public static func isTypeOfMain(_ metadata: UnsafeRawPointer) -> Bool {
    metadata == unsafeBitCast(Main.self as Any.Type, to: UnsafeRawPointer.self)
  }

  /// The name of the executor's type. Only for an executor that still exists.
  public var typeName: String {
    let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    return String(describing: type(of: object))
  }

  /// The executor of the calling thread; nil on the pool, and outside tasks.
  public static var current: SwiftExecutor? {
    let station = UnsafeRawPointer(Unmanaged.passUnretained(Executors.hop).toOpaque())
    return swift_tasks_runningExecutor().flatMap {
      $0 == station ? nil : SwiftExecutor(pointer: $0)
    }
  }
}
