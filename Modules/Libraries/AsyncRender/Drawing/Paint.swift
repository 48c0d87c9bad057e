/// The content of a filled area: a colour or a gradient.
public enum Paint: Sendable, Hashable {
  case color(Color)
  /// A gradient along a line from one point to another. It is constant at right angles to the line.
  case linear(Gradient, from: Point, to: Point)
  /// A gradient outwards from a centre to a radius, in units.
  case radial(Gradient, center: Point, radius: Double)
}

/// A gradient: colours at places, interpolated in between.
public struct Gradient: Sendable, Hashable {
  /// A colour at a place.
  public struct Stop: Sendable, Hashable {
    /// The place, from 0 at the start of the gradient to 1 at its end. Values outside are clamped.
    public var place: Double
    public var color: Color

    public init(at place: Double, _ color: Color) {
      self.place = place
      self.color = color
    }
  }

  /// The content before the start and after the end of a gradient.
  public enum Beyond: Sendable, Hashable {
    /// The colour of the first stop and of the last stop.
    case same
    /// The gradient, repeated.
    case repeated
    /// The gradient, repeated, with every second repetition reversed.
    case reflected
    /// Nothing.
    case nothing
  }

  /// The stops, in the order of their places. Two stops at the same place make a hard edge. Without
  /// stops, nothing is painted.
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
