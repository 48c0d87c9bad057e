/// An outline of lines and curves that can be filled, stroked or clipped to.
///
/// ```swift
/// var triangle = Path()
/// triangle.move(to: Point(x: 0, y: 10))
/// triangle.line(to: Point(x: 5, y: 0))
/// triangle.line(to: Point(x: 10, y: 10))
/// triangle.close()
/// canvas.fill(triangle, with: .color(.black))
/// ```
///
/// A path may have several parts, each of which starts with a move. A line or curve without a current point starts at
/// its own first point.
///
/// - Complexity: amortized O(1) for every line or curve that is added.
public struct Path: Sendable, Hashable {
  /// An element of an outline.
  public enum Element: Sendable, Hashable {
    case move(to: Point)
    case line(to: Point)
    /// A cubic Bézier curve.
    case curve(to: Point, control1: Point, control2: Point)
    case close
  }

  /// In the order in which they were added.
  public private(set) var elements: [Element] = []
  /// The largest absolute coordinate; NaN as soon as one coordinate is not finite.
  private(set) var reach = 0.0
  private var start: Point?
  private var end: Point?

  /// An empty path.
  public init() {}

  public var isEmpty: Bool { elements.isEmpty }

  /// The point at which the next line starts; nil for an empty path.
  public var currentPoint: Point? { end }

  /// Starts another part at a point.
  public mutating func move(to point: Point) {
    elements.append(.move(to: point))
    start = point
    arrive(at: point)
  }

  /// Adds a straight line from the current point.
  public mutating func line(to point: Point) {
    guard end != nil else { return move(to: point) }
    elements.append(.line(to: point))
    arrive(at: point)
  }

  /// Adds a cubic Bézier curve from the current point. It leaves that point in the direction of `control1`, and arrives
  /// from the direction of `control2`.
  public mutating func curve(to point: Point, control1: Point, control2: Point) {
    if end == nil { move(to: control1) }
    elements.append(.curve(to: point, control1: control1, control2: control2))
    extend(to: control1)
    extend(to: control2)
    arrive(at: point)
  }

  /// Adds a straight line to the start of the part. The next line starts there.
  public mutating func close() {
    guard let start else { return }
    elements.append(.close)
    end = start
  }

  /// Adds all elements of another path.
  public mutating func append(_ other: Path) {
    elements.append(contentsOf: other.elements)
    reach = reach.reaching(other.reach)
    (start, end) = (other.start ?? start, other.end ?? end)
  }

  private mutating func arrive(at point: Point) {
    end = point
    extend(to: point)
  }

  private mutating func extend(to point: Point) {
    reach = reach.reaching(point.x).reaching(point.y)
  }
}

extension Double {
  /// The larger of the two absolute values; NaN if either is NaN or infinite.
  fileprivate func reaching(_ other: Double) -> Double {
    let other = abs(other)
    guard other.isFinite, !isNaN else { return .nan }
    return self > other ? self : other
  }
}
