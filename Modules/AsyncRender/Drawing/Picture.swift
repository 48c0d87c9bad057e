internal import CCairo

/// What was drawn: pixels that change no more, in a surface of Cairo's.
public final class Picture: @unchecked Sendable {
  // Safe to share: nobody draws on the surface any more, and Cairo counts references atomically.
  private let surface: OpaquePointer
  /// Pixels in a unit.
  public let scale: Double

  /// - Parameter surface: an image surface that nobody draws on any more; takes over a reference.
  init(surface: OpaquePointer, scale: Double) {
    self.surface = surface
    self.scale = scale
  }

  deinit { cairo_surface_destroy(surface) }

  /// In pixels.
  public var width: Int { Int(cairo_image_surface_get_width(surface)) }
  /// In pixels.
  public var height: Int { Int(cairo_image_surface_get_height(surface)) }
}
