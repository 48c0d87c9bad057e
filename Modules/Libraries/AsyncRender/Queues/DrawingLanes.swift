/// Where drawings are drawn.
protocol DrawingLanes: Sendable {
  /// How many drawings can be under way at once.
  var count: Int { get }
  /// Has a drawing drawn as soon as can be.
  func enqueue(_ drawing: any LaneDrawing, at priority: DisplayPriority)
  /// A drawing that may still wait has another priority.
  func reprioritize(_ drawing: any LaneDrawing, to priority: DisplayPriority)
  /// A drawing that may still wait has ended.
  func forget(_ drawing: any LaneDrawing)
}
