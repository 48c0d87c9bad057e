internal import AsyncRuntime
internal import CCairo

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Picture {
  /// The picture as a file in the format PNG: of eight bits a component, with transparency unless it is opaque.
  ///
  /// - Parameter cancellation: ends it early, with an error.
  /// - Throws: `DrawingError` if there is no memory for it, or if it is cancelled.
  /// - Complexity: O(pixels).
  public func pngData(unless cancellation: Cancellation? = nil) throws(DrawingError) -> Data {
    var sink = PNGSink(cancellation: cancellation)
    let status = withSurface { surface in
      withUnsafeMutablePointer(to: &sink) { sink in
        cairo_surface_write_to_png_stream(
          surface,
          { sink, bytes, count in
            sink!.assumingMemoryBound(to: PNGSink.self).pointee.take(
              UnsafeBufferPointer(start: bytes, count: Int(count)))
              ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
          }, sink)
      }
    }
    if let error = DrawingError(status, while: "writing a picture as PNG") { throw error }
    return Data(sink.bytes)
  }

  /// Reads a picture in the format PNG, of any depth and kind.
  ///
  /// It is decoded only if its head says that it has no more pixels than a canvas may have, and there are as many
  /// bytes as those need at least. So a few bytes cannot ask for all of the memory.
  ///
  /// - Parameter scale: pixels in a unit.
  /// - Throws: `DrawingError` for what is no PNG, is damaged or too large.
  /// - Complexity: O(pixels).
  public convenience init(png data: Data, scale: Double = 1) throws(DrawingError) {
    guard scale.isFinite, scale > 0 else {
      throw DrawingError("a picture cannot have a scale of \(scale): it is a number above 0")
    }
    var source = PNGSource(bytes: [UInt8](data))
    try PNGHead(source.bytes).check(source.bytes.count)
    let surface = withUnsafeMutablePointer(to: &source) { source in
      cairo_image_surface_create_from_png_stream(
        { source, bytes, count in
          source!.assumingMemoryBound(to: PNGSource.self).pointee.read(into: bytes!, Int(count))
            ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_READ_ERROR
        }, source)
    }
    if let error = DrawingError(cairo_surface_status(surface), while: "a damaged PNG") {
      cairo_surface_destroy(surface)
      throw error
    }
    try self.init(takingOver: surface!, scale: scale)
  }

  /// Reads a picture from a file in the format PNG.
  ///
  /// - Parameter scale: pixels in a unit.
  /// - Throws: `DrawingError` if the file cannot be read, is no PNG, is damaged or too large.
  /// - Complexity: O(pixels).
  public convenience init(contentsOf file: URL, scale: Double = 1) throws(DrawingError) {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw DrawingError("the picture “\(file.path)” cannot be read: \(error.reason)")
    }
    try self.init(png: data, scale: scale)
  }
}

extension Error {
  /// Why a file cannot be read, in a few words where they are known.
  fileprivate var reason: String {
    switch (self as? CocoaError)?.code {
    case .fileNoSuchFile?, .fileReadNoSuchFile?: "there is no such file"
    case .fileReadNoPermission?: "permission denied"
    case .fileReadTooLarge?: "it is too large"
    case .fileReadUnknown?, .fileReadInvalidFileName?: "it is no file that can be read"
    default: "\(self)"
    }
  }
}

private struct PNGSink {
  let cancellation: Cancellation?
  var bytes: [UInt8] = []

  /// False if no more is wanted.
  mutating func take(_ more: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.append(contentsOf: more)
    return cancellation?.isCancelled != true
  }
}

private struct PNGSource {
  let bytes: [UInt8]
  var place = 0

  /// False if there are not that many bytes any more.
  mutating func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
    guard count <= bytes.count - place else { return false }
    bytes.withUnsafeBufferPointer {
      target.update(from: $0.baseAddress! + place, count: count)
    }
    place += count
    return true
  }
}
