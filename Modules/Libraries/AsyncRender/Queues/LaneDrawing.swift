/// What a drawing lane draws.
protocol LaneDrawing: AnyObject, Sendable {
  /// Whether it is certain that there is nothing to draw.
  var isVoid: Bool { get }
  /// Draws it; called on the lane.
  func draw()
}
