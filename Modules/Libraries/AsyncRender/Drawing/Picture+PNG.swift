internal import AsyncRuntime
internal import CCairo

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Picture {
  /// The picture as a PNG file, with eight bits per component, and with transparency unless it is opaque.
  ///
  /// - Parameter cancellation: ends the encoding early, with an error.
  /// - Throws: `DrawingError` if there is not enough memory, or if it is cancelled.
  /// - Complexity: O(pixels).
  public func pngData(cancellation: Cancellation? = nil) throws(DrawingError) -> Data {
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

  /// Reads a picture in PNG format, of any depth and colour type.
  ///
  /// The file is decoded only if it passes three checks. It must not have more pixels than a canvas may have. It must
  /// have at least as many bytes as those pixels need at the strongest possible compression. Each of its chunks must
  /// end within the file. So a few bytes cannot exhaust the memory.
  ///
  /// - Parameter scale: pixels per unit.
  /// - Throws: `DrawingError` if the data is not a PNG, is damaged, or is too large.
  /// - Complexity: O(pixels).
  public convenience init(png data: Data, scale: Double = 1) throws(DrawingError) {
    guard scale.isFinite, scale > 0 else {
      throw DrawingError("a picture cannot have a scale of \(scale): a scale must be above 0")
    }
    var source = PNGSource(bytes: [UInt8](data))
    try PNGHead(source.bytes).check(source.bytes.count)
    guard ccairo_png_chunks_fit(source.bytes, source.bytes.count) else {
      throw DrawingError("the PNG is damaged: it ends within a chunk; make the file again")
    }
    let surface = withUnsafeMutablePointer(to: &source) { source in
      cairo_image_surface_create_from_png_stream(
        { source, bytes, count in
          source!.assumingMemoryBound(to: PNGSource.self).pointee.read(into: bytes!, Int(count))
            ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_READ_ERROR
        }, source)
    }
    if let error = DrawingError(cairo_surface_status(surface), while: "the PNG is damaged") {
      cairo_surface_destroy(surface)
      throw error
    }
    try self.init(takingOver: surface!, scale: scale)
  }

  /// Reads a picture from a PNG file.
  ///
  /// - Parameter scale: pixels per unit.
  /// - Throws: `DrawingError` if the file cannot be read, is not a PNG, is damaged, or is too large.
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
  /// Why a file cannot be read, in a few words for the known cases.
  fileprivate var reason: String {
    switch (self as? CocoaError)?.code {
    case .fileNoSuchFile?, .fileReadNoSuchFile?: "there is no such file"
    case .fileReadNoPermission?: "permission denied"
    case .fileReadTooLarge?: "it is too large"
    case .fileReadUnknown?, .fileReadInvalidFileName?: "it is not a readable file"
    default: "\(self)"
    }
  }
}

private struct PNGSink {
  let cancellation: Cancellation?
  var bytes: [UInt8] = []

  /// Appends bytes; false if the encoding was cancelled.
  mutating func take(_ more: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.append(contentsOf: more)
    return cancellation?.isCancelled != true
  }
}

private struct PNGSource {
  let bytes: [UInt8]
  var place = 0

  /// Reads the next `count` bytes; false if fewer are left.
  mutating func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
    guard count <= bytes.count - place else { return false }
    bytes.withUnsafeBufferPointer {
      target.update(from: $0.baseAddress! + place, count: count)
    }
    place += count
    return true
  }
}
