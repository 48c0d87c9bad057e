/// An outline of lines and curves, to be filled, stroked or clipped to.
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
/// It may have several parts, each of which begins with a move. A line or curve with nothing before it
/// begins at its own first point.
///
/// - Complexity: O(1) on average for every line or curve that is added.
public struct Path: Sendable, Hashable {
  /// What an outline is made of.
  public enum Element: Sendable, Hashable {
    case move(to: Point)
    case line(to: Point)
    /// A cubic Bézier curve.
    case curve(to: Point, control1: Point, control2: Point)
    case close
  }

  /// In the order in which they were added.
  public private(set) var elements: [Element] = []
  /// The largest coordinate that occurs, without its sign; not a number as soon as one is not.
  private(set) var reach = 0.0
  private var start: Point?
  private var end: Point?

  /// Nothing.
  public init() {}

  public var isEmpty: Bool { elements.isEmpty }

  /// Where the next line begins; nil for an empty path.
  public var currentPoint: Point? { end }

  /// Begins another part at a point.
  public mutating func move(to point: Point) {
    elements.append(.move(to: point))
    start = point
    arrive(at: point)
  }

  /// A straight line from the current point.
  public mutating func line(to point: Point) {
    guard end != nil else { return move(to: point) }
    elements.append(.line(to: point))
    arrive(at: point)
  }

  /// A cubic Bézier curve from the current point: it leaves that in the direction of `control1` and arrives
  /// from that of `control2`.
  public mutating func curve(to point: Point, control1: Point, control2: Point) {
    if end == nil { move(to: control1) }
    elements.append(.curve(to: point, control1: control1, control2: control2))
    extend(to: control1)
    extend(to: control2)
    arrive(at: point)
  }

  /// A straight line to where the part began; what is added next begins there.
  public mutating func close() {
    guard let start else { return }
    elements.append(.close)
    end = start
  }

  /// All of another path.
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
  /// The larger of the two without signs; not a number if either is none, or is infinite.
  fileprivate func reaching(_ other: Double) -> Double {
    let other = abs(other)
    guard other.isFinite, !isNaN else { return .nan }
    return self > other ? self : other
  }
}
