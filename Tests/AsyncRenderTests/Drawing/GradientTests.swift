import CCairo
import Testing

@testable import AsyncRender

/// Compares our gradients with gradients that Cairo draws itself.
@Suite struct GradientTests {
  /// The direction of a gradient across the canvas. Where a colour changes abruptly, no centre of a pixel lies on the
  /// edge.
  enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case down, up, right, left, aslant, nowhere
    var testDescription: String { rawValue }

    var ends: (from: Point, to: Point) {
      switch self {
      case .down: (Point(x: 7, y: 20), Point(x: 7, y: 130.5))
      case .up: (Point(x: 7, y: 130.5), Point(x: 7, y: 20))
      case .right: (Point(x: 20, y: 3), Point(x: 150.3, y: 3))
      case .left: (Point(x: 150.3, y: 3), Point(x: 20, y: 3))
      case .aslant: (Point(x: 20, y: 20), Point(x: 150, y: 130))
      case .nowhere: (Point(x: 20, y: 20), Point(x: 20, y: 20))
      }
    }
  }

  private static let size = Size(width: 200, height: 150)

  private let outline = Path(
    roundedRect: Rect(x: 5.5, y: 4, width: 180, height: 140.25), radius: 12)

  private func gradient(_ beyond: Gradient.Beyond, alpha: Double = 1) -> Gradient {
    Gradient(
      [
        .init(at: 0, Color(red: 1, green: 0.2, blue: 0)),
        .init(at: 0.3, Color(red: 0, green: 0.9, blue: 0.4, alpha: alpha)),
        .init(at: 1, Color(red: 0.1, green: 0, blue: 1)),
      ], beyond: beyond)
  }

  /// Draws an outline twice, with our gradients and with Cairo's, and compares the results.
  private func expectLikeness(
    _ paint: Paint, scale: Double = 1, isOpaque: Bool = false,
    after prepare: (Canvas) -> Void = { _ in }, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func drawn(_ fill: (Canvas) -> Void) throws -> Picture {
      let canvas = try Canvas(size: Self.size, scale: scale, isOpaque: isOpaque)
      canvas.fill(Rect(x: 0, y: 60, width: 200, height: 30), with: .color(.white))
      prepare(canvas)
      fill(canvas)
      return try canvas.finish()
    }
    let ours = try drawn { $0.fill(outline, with: paint) }
    let cairos = try drawn { canvas in
      guard canvas.set(paint), canvas.trace(outline) else { return }
      cairo_fill(canvas.context)
    }
    var difference = 0
    // Most rows are equal, and comparing each pixel is slow.
    for (ours, cairos) in zip(ours.rows, cairos.rows) where ours != cairos {
      for (ours, cairos) in zip(ours, cairos) where ours != cairos {
        for byte in stride(from: 0, to: 32, by: 8) {
          difference = max(difference, abs(Int(ours >> byte & 0xFF) - Int(cairos >> byte & 0xFF)))
        }
      }
    }
    #expect(difference <= 1, sourceLocation: sourceLocation)
    #expect(ours.rows.joined().contains { $0 != 0 }, sourceLocation: sourceLocation)
  }

  @Test(arguments: Way.allCases, [Gradient.Beyond.same, .repeated, .reflected, .nothing])
  func `a gradient has the pixels that Cairo gives it`(_ way: Way, beyond: Gradient.Beyond) throws {
    let paint = Paint.linear(gradient(beyond), from: way.ends.from, to: way.ends.to)
    try expectLikeness(paint)
    try expectLikeness(paint, isOpaque: true)
    try expectLikeness(paint, scale: 1.75)
  }

  @Test(arguments: Way.allCases)
  func `a translucent gradient has the pixels that Cairo gives it`(_ way: Way) throws {
    let paint = Paint.linear(gradient(.same, alpha: 0.3), from: way.ends.from, to: way.ends.to)
    try expectLikeness(paint)
    try expectLikeness(paint, isOpaque: true)
  }

  @Test(arguments: Way.allCases)
  func `a moved, rotated and clipped gradient has Cairo's pixels`(_ way: Way) throws {
    let paint = Paint.linear(gradient(.same), from: way.ends.from, to: way.ends.to)
    try expectLikeness(paint) { $0.translate(x: -30.25, y: 17.5) }
    try expectLikeness(paint) {
      $0.scale(x: 0.9, y: -1.5)
      $0.translate(x: 3, y: -120)
    }
    try expectLikeness(paint) {
      $0.rotate(.pi / 2)
      $0.translate(x: -10, y: -190)
    }
    try expectLikeness(paint) { $0.rotate(0.2) }
    try expectLikeness(paint) {
      $0.clip(to: Path(circleAt: Point(x: 100, y: 70), radius: 61))
    }
  }

  @Test func `a gradient outside the canvas or the clip draws nothing`() throws {
    let paint = Paint.linear(gradient(.same), from: .zero, to: Point(x: 0, y: 100))
    let picture = try drawn(200, 150) { canvas in
      canvas.fill(
        Path(roundedRect: Rect(x: 300, y: -900, width: 500, height: 400), radius: 9), with: paint)
      canvas.fill(
        Path(roundedRect: Rect(x: -1e7, y: -1e7, width: 1e7 - 1, height: 2e7), radius: 9),
        with: paint)
      canvas.fill(Path(), with: paint)
      canvas.clip(to: Rect(x: 0, y: 0, width: 0, height: 0))
      canvas.fill(outline, with: paint)
    }
    #expect(picture.ink == nil)
  }
}
