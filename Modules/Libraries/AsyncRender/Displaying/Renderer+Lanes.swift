internal import AsyncRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Renderer.Lanes {
  func make(on runtime: any Runtime) -> any DrawingLanes {
    switch self {
    case .queues(let count):
      DisplayQueues(count: min(count ?? Self.coreCount(of: runtime), 16), on: runtime)
    case .workers(let count):
      DisplayWorkers(count: count ?? Self.coreCount(of: runtime), on: runtime)
    }
  }

  /// The number of cores to draw on. On a virtual clock, each worker of the pool counts as a core.
  private static func coreCount(of runtime: any Runtime) -> Int {
    switch runtime.clockKind {
    case .virtual: runtime.width
    case .live: min(runtime.width, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
  }
}
