internal import AsyncRuntime
internal import Synchronization

/// Serial queues used in rotation, as in YYAsyncLayer. Each new drawing goes to the next queue, however long that queue
/// is.
final class DisplayQueues: DrawingLanes {
  private let queues: [any Scheduler]
  private let turn = Atomic<Int>(0)

  /// - Parameter count: the number of queues; values below 1 count as 1.
  init(count: Int, on runtime: any Runtime) {
    queues = (1...max(count, 1)).map { runtime.serial("display-\($0)") }
  }

  var count: Int { queues.count }

  /// Each queue is first in, first out.
  func enqueue(_ drawing: any LaneDrawing, at priority: Priority) {
    let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    queues[Int(UInt(bitPattern: number) % UInt(count))].schedule { drawing.draw() }
  }

  func reprioritize(_ drawing: any LaneDrawing, to priority: Priority) {}

  // A job cannot be removed from a scheduler. The drawing stays there as an empty shell.
  func forget(_ drawing: any LaneDrawing) {}
}
