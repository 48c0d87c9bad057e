internal import CCairo

/// Something to draw on: pixels, and a context of its own to draw with.
///
/// One task has it at a time: it belongs to the code it was handed to, and to nobody after that has returned.
public final class Canvas {
  /// In units; one is `scale` pixels.
  public let size: Size
  /// Pixels in a unit.
  public let scale: Double

  private let surface: OpaquePointer
  private let context: OpaquePointer

  /// An empty canvas: transparent, or black if it is opaque.
  ///
  /// - Throws: `DrawingError` if it has no pixels, or more than there can be.
  public init(size: Size, scale: Double = 1, isOpaque: Bool = false) throws(DrawingError) {
    let width = (size.width * scale).rounded(.up)
    let height = (size.height * scale).rounded(.up)
    guard (1...32_767).contains(width), (1...32_767).contains(height) else {
      throw DrawingError("a canvas of \(width) x \(height) pixels cannot be: each is from 1 to 32767")
    }
    self.size = size
    self.scale = scale
    surface = cairo_image_surface_create(
      isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
    context = cairo_create(surface)
    cairo_scale(context, scale, scale)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// What has been drawn. The canvas cannot be drawn on any more.
  public func finish() -> Picture {
    cairo_surface_flush(surface)
    return Picture(surface: cairo_surface_reference(surface), scale: scale)
  }
}
