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
  /// - Parameter radius: in units; clamped to the range from 0 to half of the shorter side.
  public init(roundedRect rect: Rect, radius: Double) { addRoundedRect(rect, radius: radius) }

  /// The ellipse that touches the four edges of a rectangle.
  public init(ellipseIn rect: Rect) { addEllipse(in: rect) }

  /// A circle.
  public init(circleAt center: Point, radius: Double) {
    addEllipse(
      in: Rect(
        x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius))
  }

  /// Adds a rectangle as a separate part, clockwise from its top left corner.
  public mutating func addRect(_ rect: Rect) {
    move(to: rect.origin)
    line(to: Point(x: rect.maxX, y: rect.origin.y))
    line(to: Point(x: rect.maxX, y: rect.maxY))
    line(to: Point(x: rect.origin.x, y: rect.maxY))
    close()
  }

  /// Adds a rectangle with rounded corners as a separate part.
  ///
  /// - Parameter radius: in units; clamped to the range from 0 to half of the shorter side.
  public mutating func addRoundedRect(_ rect: Rect, radius: Double) {
    let longest = min(abs(rect.size.width), abs(rect.size.height)) / 2
    let radius = min(max(radius, 0), longest)
    // `addRect` keeps a coordinate that is not finite, whereas `min` and `max` below could hide a NaN.
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

  /// Adds the ellipse that touches the four edges of a rectangle, as a separate part.
  public mutating func addEllipse(in rect: Rect) {
    addCurves(
      rect.center, rect.size.width / 2, rect.size.height / 2, from: 0, by: 2 * .pi, beginning: true)
    close()
  }

  /// Adds an arc of a circle, with a straight line to its start from the current point, if there is one.
  ///
  /// - Parameters:
  ///   - radius: in units.
  ///   - start: the angle at which it starts, in radians from the right, clockwise.
  ///   - end: the angle at which it ends. The arc runs clockwise if `end` is larger than `start`, and counterclockwise
  ///     if it is smaller. It covers at most one full turn.
  public mutating func addArc(
    center: Point, radius: Double, from start: Double, to end: Double
  ) {
    let sweep = min(max(end - start, -2 * .pi), 2 * .pi)
    addCurves(
      center, radius, radius, from: start.remainder(dividingBy: 2 * .pi), by: sweep,
      beginning: currentPoint == nil)
  }

  /// Adds an arc of an ellipse as Bézier curves. Each covers an eighth of a turn, with an error of at most four
  /// millionths of the radius. Where the error is not visible, each covers a quarter, with an error of three
  /// ten-thousandths.
  private mutating func addCurves(
    _ center: Point, _ width: Double, _ height: Double, from start: Double, by sweep: Double,
    beginning: Bool
  ) {
    let longest = max(abs(width), abs(height)) > 40 ? Double.pi / 4 : Double.pi / 2
    // A sweep that is too long only by rounding needs no further curve.
    let count = sweep.isFinite ? max((abs(sweep) / longest - 1e-9).rounded(.up), 1) : 1
    let step = sweep / count
    // The length of the tangents that puts the middle of each curve on the circle.
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
