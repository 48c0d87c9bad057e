internal import CSwiftTasks

/// An actor, or another serial executor, on which tasks run.
public struct SwiftExecutor: Hashable {
  let pointer: UnsafeRawPointer

  /// The main actor's.
  public var isMain: Bool {
    pointer == UnsafeRawPointer(Unmanaged.passUnretained(Executors.main).toOpaque())
  }

  /// Whether the main actor's executor is an object of the type.
  public static func isTypeOfMain(_ metadata: UnsafeRawPointer) -> Bool {
    metadata == unsafeBitCast(Main.self as Any.Type, to: UnsafeRawPointer.self)
  }

  /// The name of its type; only while it exists.
  public var typeName: String {
    let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    return String(describing: type(of: object))
  }

  /// The one that the calling thread is on; nil on the pool, and outside of tasks.
  public static var current: SwiftExecutor? {
    let station = UnsafeRawPointer(Unmanaged.passUnretained(Executors.hop).toOpaque())
    return swift_tasks_runningExecutor().flatMap {
      $0 == station ? nil : SwiftExecutor(pointer: $0)
    }
  }
}
