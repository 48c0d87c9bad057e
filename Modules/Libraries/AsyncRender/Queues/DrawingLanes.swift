/// The lanes on which layers are drawn.
protocol DrawingLanes: Sendable {
  /// The number of drawings that can be in progress at the same time.
  var count: Int { get }
  /// Draws the drawing as soon as a lane is free.
  func enqueue(_ drawing: any LaneDrawing, at priority: Priority)
  /// Changes the priority of a drawing that may still be queued.
  func reprioritize(_ drawing: any LaneDrawing, to priority: Priority)
  /// Removes a drawing that ended and may still be queued.
  func forget(_ drawing: any LaneDrawing)
}
