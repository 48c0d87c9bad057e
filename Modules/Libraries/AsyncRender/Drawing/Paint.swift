/// What an area is filled with: a colour, or a passage from one to another.
public enum Paint: Sendable, Hashable {
  case color(Color)
  /// Changes from one point to another, and stays the same at right angles to that.
  case linear(Gradient, from: Point, to: Point)
  /// Changes from a centre outwards to a radius, in units.
  case radial(Gradient, center: Point, radius: Double)
}

/// Colours that pass into one another.
public struct Gradient: Sendable, Hashable {
  /// A colour at a place.
  public struct Stop: Sendable, Hashable {
    /// The share of the way from the start, 0, to the end, 1; what lies outside counts as the nearest end.
    public var place: Double
    public var color: Color

    public init(at place: Double, _ color: Color) {
      self.place = place
      self.color = color
    }
  }

  /// What there is before the start and behind the end.
  public enum Beyond: Sendable, Hashable {
    /// The colour of the first stop, and that of the last.
    case same
    /// The gradient again and again.
    case repeated
    /// The gradient again and again, every second time backwards.
    case reflected
    /// Nothing.
    case nothing
  }

  /// In the order of their places. Two at the same place are an edge; none at all paint nothing.
  public var stops: [Stop]
  public var beyond: Beyond

  public init(_ stops: [Stop], beyond: Beyond = .same) {
    self.stops = stops
    self.beyond = beyond
  }

  /// Colours at even distances.
  public init(_ colors: Color..., beyond: Beyond = .same) {
    let last = Double(max(colors.count - 1, 1))
    self.init(
      colors.enumerated().map { Stop(at: Double($0.offset) / last, $0.element) }, beyond: beyond)
  }
}
