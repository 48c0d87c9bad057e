internal import CCairo

/// Something to draw on: pixels, and a context of its own to draw with.
///
/// ```swift
/// let canvas = try Canvas(size: Size(width: 120, height: 40), scale: 2)
/// let button = Rect(x: 2, y: 2, width: 116, height: 36)
/// canvas.fill(Path(roundedRect: button, radius: 8), with: .color(.black))
/// canvas.draw(TextLayout("hello", font: font), at: Point(x: 10, y: 8), color: .white)
/// let picture = try canvas.finish()
/// ```
///
/// One task has it at a time: it belongs to the code it was handed to, and to nobody after that has returned. Any
/// number of them can be drawn on at once, each on a thread of its own: they share nothing, and what is
/// drawn does not depend on what else is.
///
/// The memory of pictures that are gone, of 32 KiB to 4 MiB each, is kept for the next canvases: half as much as is in
/// use and a MiB, and never more than 16 MiB.
///
/// Drawing does not throw. The first thing that cannot be drawn is remembered as ``error``, and ``finish()`` throws
/// it. Coordinates that are far outside are no error: nothing of them is seen.
public final class Canvas {
  /// In units; one is `scale` pixels.
  public let size: Size
  /// Pixels in a unit.
  public let scale: Double
  /// Whether nothing can be seen through it: then it begins black, and not transparent.
  public let isOpaque: Bool

  /// The largest width and the largest height, in pixels.
  public static let longestSide = 32_767
  /// The largest product of width and height, in pixels: with four bytes each, a quarter of a gigabyte.
  public static let mostPixels = 1 << 26

  private var surface: OpaquePointer
  private(set) var context: OpaquePointer
  private var firstError: DrawingError?
  /// How many times the state is saved.
  private var depth = 0

  /// An empty canvas: transparent, or black if it is opaque.
  ///
  /// - Parameters:
  ///   - size: in units. What is left of a pixel at the right and lower edges is a whole one.
  ///   - scale: pixels in a unit.
  /// - Throws: `DrawingError` if it has no pixels or more than there can be (``longestSide``, ``mostPixels``), or
  ///   there is no memory for them.
  /// - Complexity: O(pixels).
  public init(size: Size, scale: Double = 1, isOpaque: Bool = false) throws(DrawingError) {
    guard scale.isFinite, scale > 0 else {
      throw DrawingError(
        "a canvas cannot have a scale of \(scale.shortText): it is a number above 0")
    }
    let width = (size.width * scale).rounded(.up)
    let height = (size.height * scale).rounded(.up)
    let sides = 1...Double(Canvas.longestSide)
    guard sides.contains(width), sides.contains(height) else {
      throw DrawingError(
        "a canvas of \(size.width.shortText) x \(size.height.shortText) at a scale of "
          + "\(scale.shortText) cannot be: each side has from 1 to \(Canvas.longestSide) pixels")
    }
    guard width * height <= Double(Canvas.mostPixels) else {
      throw DrawingError(
        "a canvas of \(Int(width)) x \(Int(height)) pixels is too large: it has at most "
          + "\(Canvas.mostPixels); draw in several")
    }
    self.size = size
    self.scale = scale
    self.isOpaque = isOpaque
    (surface, context) = PixelMemory.shared.makeSurface(
      isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, width: Int(width), height: Int(height))
    cairo_scale(context, scale, scale)
    if let error = DrawingError(
      cairo_status(context),
      while: "a canvas of \(Int(width)) x \(Int(height)) pixels at a scale of \(scale)")
    {
      throw error
    }
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// The first thing that could not be drawn; nil as long as all is well.
  public var error: DrawingError? {
    firstError ?? DrawingError(cairo_status(context), while: "drawing on a canvas")
  }

  /// What has been drawn. The canvas cannot be drawn on any more.
  ///
  /// - Throws: ``error``, if there is one; and inside of ``saved(_:)`` and ``withCairo(_:)``, or when it has been
  ///   finished before.
  /// - Complexity: O(1); O(pixels) for an opaque canvas.
  public func finish() throws(DrawingError) -> Picture {
    if let error { throw error }
    guard depth == 0 else {
      throw DrawingError("a canvas cannot be finished while its state is saved; do it after that")
    }
    let drawn = surface
    cairo_destroy(context)
    // What is drawn from now on nobody will see: so nothing needs to ask first.
    surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 1, 1)
    context = cairo_create(surface)
    firstError = DrawingError("a canvas that is finished cannot be drawn on; make another one")
    return try Picture(takingOver: drawn, scale: scale)
  }

  /// Remembers what cannot be drawn, unless something could not be before.
  func fail(_ message: @autoclosure () -> String) {
    if error == nil { firstError = DrawingError(message()) }
  }

  /// Calls `body` with the context, and brings back what it has changed.
  func nested<Result, Failure: Error>(
    _ body: (_ context: OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    cairo_save(context)
    depth += 1
    defer {
      cairo_new_path(context)
      cairo_restore(context)
      depth -= 1
    }
    return try body(context)
  }
}

/// It belongs to one task at a time.
@available(*, unavailable)
extension Canvas: Sendable {}
