#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Path {
  /// A rectangle, clockwise from its top left corner.
  public init(_ rect: Rect) { addRect(rect) }

  /// A rectangle with rounded corners.
  ///
  /// - Parameter radius: in units; at most half of the shorter side, at least 0.
  public init(roundedRect rect: Rect, radius: Double) { addRoundedRect(rect, radius: radius) }

  /// The ellipse that touches the four edges of a rectangle.
  public init(ellipseIn rect: Rect) { addEllipse(in: rect) }

  /// A circle.
  public init(circleAt center: Point, radius: Double) {
    addEllipse(
      in: Rect(
        x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius))
  }

  /// A rectangle as a part of its own, clockwise from its top left corner.
  public mutating func addRect(_ rect: Rect) {
    move(to: rect.origin)
    line(to: Point(x: rect.maxX, y: rect.origin.y))
    line(to: Point(x: rect.maxX, y: rect.maxY))
    line(to: Point(x: rect.origin.x, y: rect.maxY))
    close()
  }

  /// A rectangle with rounded corners as a part of its own.
  ///
  /// - Parameter radius: in units; at most half of the shorter side, at least 0.
  public mutating func addRoundedRect(_ rect: Rect, radius: Double) {
    let longest = min(abs(rect.size.width), abs(rect.size.height)) / 2
    let radius = min(max(radius, 0), longest)
    // Also if one of them is not a number, which a maximum would hide.
    guard radius > 0, (rect.maxX + rect.maxY).isFinite else { return addRect(rect) }
    let (left, top) = (min(rect.origin.x, rect.maxX), min(rect.origin.y, rect.maxY))
    let (right, bottom) = (max(rect.origin.x, rect.maxX), max(rect.origin.y, rect.maxY))
    let corners = [
      (Point(x: left + radius, y: top + radius), Double.pi),
      (Point(x: right - radius, y: top + radius), Double.pi * 1.5),
      (Point(x: right - radius, y: bottom - radius), 0),
      (Point(x: left + radius, y: bottom - radius), Double.pi / 2),
    ]
    var isFirst = true
    for (center, angle) in corners {
      addCurves(center, radius, radius, from: angle, by: .pi / 2, beginning: isFirst)
      isFirst = false
    }
    close()
  }

  /// The ellipse that touches the four edges of a rectangle, as a part of its own.
  public mutating func addEllipse(in rect: Rect) {
    addCurves(
      rect.center, rect.size.width / 2, rect.size.height / 2, from: 0, by: 2 * .pi, beginning: true)
    close()
  }

  /// A part of a circle, with a straight line to its start from the current point, if there is one.
  ///
  /// - Parameters:
  ///   - radius: in units.
  ///   - start: the angle at which it begins, in radians from the right, clockwise.
  ///   - end: the angle at which it ends: clockwise if it is larger, against that if it is smaller. Once
  ///     around is all there is of a circle.
  public mutating func addArc(
    center: Point, radius: Double, from start: Double, to end: Double
  ) {
    let sweep = min(max(end - start, -2 * .pi), 2 * .pi)
    addCurves(
      center, radius, radius, from: start.remainder(dividingBy: 2 * .pi), by: sweep,
      beginning: currentPoint == nil)
  }

  /// A part of an ellipse as Bézier curves: each of an eighth, which is four millionths of the radius off at
  /// most, or of a quarter where that is not to be seen, three ten-thousandths.
  private mutating func addCurves(
    _ center: Point, _ width: Double, _ height: Double, from start: Double, by sweep: Double,
    beginning: Bool
  ) {
    let longest = max(abs(width), abs(height)) > 40 ? Double.pi / 4 : Double.pi / 2
    // One too few is no matter where rounding decides.
    let count = sweep.isFinite ? max((abs(sweep) / longest - 1e-9).rounded(.up), 1) : 1
    let step = sweep / count
    // Where the tangents' ends have to be for the middle of each curve to lie on the circle.
    let tangent = 4 / 3 * tan(step / 4)
    func place(_ angle: Double) -> (on: Point, along: Point) {
      let (sine, cosine) = (sin(angle), cos(angle))
      return (
        Point(x: center.x + width * cosine, y: center.y + height * sine),
        Point(x: -width * sine * tangent, y: height * cosine * tangent)
      )
    }
    var from = place(start)
    if beginning { move(to: from.on) } else { line(to: from.on) }
    for index in 1...Int(count) {
      let to = place(start + step * Double(index))
      curve(
        to: to.on, control1: Point(x: from.on.x + from.along.x, y: from.on.y + from.along.y),
        control2: Point(x: to.on.x - to.along.x, y: to.on.y - to.along.y))
      from = to
    }
  }
}
