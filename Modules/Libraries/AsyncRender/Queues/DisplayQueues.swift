internal import AsyncRuntime
internal import Synchronization

/// Serial queues that take turns, as in YYAsyncLayer: each gets the next drawing, whatever waits there.
final class DisplayQueues: DrawingLanes {
  private let queues: [any Scheduler]
  private let turn = Atomic<Int>(0)

  /// - Parameter count: how many; below 1 counts as 1.
  init(count: Int, on runtime: any Runtime) {
    queues = (1...max(count, 1)).map { runtime.serial("display-\($0)") }
  }

  var count: Int { queues.count }

  /// First in, first out in each queue.
  func enqueue(_ drawing: any LaneDrawing, at priority: DisplayPriority) {
    let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    queues[Int(UInt(bitPattern: number) % UInt(count))].schedule { drawing.draw() }
  }

  func reprioritize(_ drawing: any LaneDrawing, to priority: DisplayPriority) {}

  // What waits in a scheduler stays there: by now an empty shell.
  func forget(_ drawing: any LaneDrawing) {}
}
