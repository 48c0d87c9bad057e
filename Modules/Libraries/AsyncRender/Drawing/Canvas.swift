internal import CCairo

/// A drawing surface: pixels, and a context to draw on them.
///
/// ```swift
/// let canvas = try Canvas(size: Size(width: 120, height: 40), scale: 2)
/// let button = Rect(x: 2, y: 2, width: 116, height: 36)
/// canvas.fill(Path(roundedRect: button, radius: 8), with: .color(.black))
/// canvas.draw(TextLayout("hello", font: font), at: Point(x: 10, y: 8), color: .white)
/// let picture = try canvas.finish()
/// ```
///
/// A canvas belongs to one task at a time. It belongs to the code it was passed to, until that code returns. Any number
/// of canvases can be drawn on at the same time, each on its own thread. They share nothing, and what is drawn on one
/// does not depend on the others.
///
/// The memory of released pictures of 32 KiB to 4 MiB each is kept for later canvases. The amount kept is at most one
/// MiB plus half of the memory in use, and never more than 16 MiB.
///
/// Drawing does not throw. The first drawing that fails is recorded as ``error``, and ``finish()`` throws it.
/// Coordinates far outside the canvas are not an error: what lies there is not visible.
public final class Canvas {
  /// In units. One unit is `scale` pixels.
  public let size: Size
  /// Pixels per unit.
  public let scale: Double
  /// Whether the canvas has no transparency. If so, it starts black instead of transparent.
  public let isOpaque: Bool

  /// The largest width and the largest height, in pixels.
  public static let longestSide = 32_767
  /// The largest product of width and height, in pixels: at four bytes each, a quarter of a gigabyte.
  public static let mostPixels = 1 << 26

  private var surface: OpaquePointer
  private(set) var context: OpaquePointer
  private var firstError: DrawingError?
  /// The number of `nested` calls in progress.
  private var depth = 0

  /// Creates an empty canvas: transparent, or black if it is opaque.
  ///
  /// - Parameters:
  ///   - size: in units. A fraction of a pixel at the right and lower edges is rounded up.
  ///   - scale: pixels per unit.
  /// - Throws: `DrawingError` if it has no pixels or too many (``longestSide``, ``mostPixels``), or if there is not
  ///   enough memory for them.
  /// - Complexity: O(pixels).
  public init(size: Size, scale: Double = 1, isOpaque: Bool = false) throws(DrawingError) {
    guard scale.isFinite, scale > 0 else {
      throw DrawingError(
        "a canvas cannot have a scale of \(scale.shortText): a scale must be above 0")
    }
    let width = (size.width * scale).rounded(.up)
    let height = (size.height * scale).rounded(.up)
    let sides = 1...Double(Canvas.longestSide)
    guard sides.contains(width), sides.contains(height) else {
      throw DrawingError(
        "a canvas of \(size.width.shortText) x \(size.height.shortText) at a scale of "
          + "\(scale.shortText) is too large or empty: each side must have 1 to "
          + "\(Canvas.longestSide) pixels")
    }
    guard width * height <= Double(Canvas.mostPixels) else {
      throw DrawingError(
        "a canvas of \(Int(width)) x \(Int(height)) pixels is too large: the limit is "
          + "\(Canvas.mostPixels) pixels; draw on several canvases")
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

  /// The error of the first drawing that failed; nil if none has.
  public var error: DrawingError? {
    firstError ?? DrawingError(cairo_status(context), while: "drawing on a canvas")
  }

  /// Returns the picture. The canvas can no longer be drawn on.
  ///
  /// - Throws: ``error``, if there is one. Also throws inside ``saved(_:)`` and ``withCairo(_:)``, and if the canvas
  ///   was already finished.
  /// - Complexity: O(1); O(pixels) for an opaque canvas.
  public func finish() throws(DrawingError) -> Picture {
    if let error { throw error }
    guard depth == 0 else {
      throw DrawingError(
        "a canvas cannot be finished while its state is saved; finish it afterwards")
    }
    let drawn = surface
    cairo_destroy(context)
    // Later drawing goes to a surface that is never shown, so drawing methods need no check.
    surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 1, 1)
    context = cairo_create(surface)
    firstError = DrawingError("a finished canvas cannot be drawn on; make another one")
    return try Picture(takingOver: drawn, scale: scale)
  }

  /// Records the message as the error, unless there already is one.
  func fail(_ message: @autoclosure () -> String) {
    if error == nil { firstError = DrawingError(message()) }
  }

  /// Calls `body` with the context, then restores the context's state.
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

/// A canvas belongs to one task at a time.
@available(*, unavailable)
extension Canvas: Sendable {}
