/// A unit of work for a drawing lane.
protocol LaneDrawing: AnyObject, Sendable {
  /// Whether it is certain that there is nothing to draw.
  var isVoid: Bool { get }
  /// Draws. Called on the lane.
  func draw()
}
