internal import AsyncRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where drawings are drawn.
protocol DrawingLanes: Sendable {
  /// How many drawings can be under way at once.
  var count: Int { get }
  /// Has a drawing drawn as soon as can be.
  func enqueue(_ drawing: Drawing, at priority: DisplayPriority)
  /// A drawing that may still wait has another priority.
  func reprioritize(_ drawing: Drawing, to priority: DisplayPriority)
  /// A drawing that may still wait has ended.
  func forget(_ drawing: Drawing)
}

extension Renderer.Lanes {
  func make(on runtime: any Runtime) -> any DrawingLanes {
    switch self {
    case .queues(let count):
      DisplayQueues(count: min(count ?? Self.coreCount(of: runtime), 16), on: runtime)
    case .workers(let count):
      DisplayWorkers(count: count ?? Self.coreCount(of: runtime), on: runtime)
    }
  }

  /// How many cores there are to draw on. A virtual machine has as many as its pool has workers.
  private static func coreCount(of runtime: any Runtime) -> Int {
    switch runtime.clockKind {
    case .virtual: runtime.width
    case .live: min(runtime.width, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
  }
}
