/// Text that is being written. It is kept as a whole, or passed on in pieces to save memory.
public struct TextOutput {
  @usableFromInline var bytes: [UInt8] = []
  @usableFromInline let sink: ((UnsafeRawBufferPointer) throws -> Void)?
  /// The error that the sink threw. After an error, no text is passed on.
  public var failure: (any Error)?

  @usableFromInline static let pieceSize = 1 << 18

  /// - Parameter sink: receives the pieces in order; nil keeps the whole text.
  public init(to sink: ((UnsafeRawBufferPointer) throws -> Void)? = nil) {
    self.sink = sink
    if sink != nil { bytes.reserveCapacity(TextOutput.pieceSize + 4096) }
  }

  /// The text that has not been passed on.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  @inlinable public mutating func append(byte: UInt8) { bytes.append(byte) }

  @inlinable public mutating func append(contentsOf utf8: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: utf8)
  }

  @inlinable public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  @inlinable public mutating func append(_ integer: Int64) {
    if integer < 0 { bytes.append(0x2D) }
    append(integer.magnitude, digits: 1)
  }

  /// - Parameter digits: the minimum number of digits. Zeros are added in front.
  @inlinable public mutating func append(_ magnitude: UInt64, digits: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var rest = magnitude
      var start = 20
      repeat {
        start -= 1
        buffer[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      while start > 20 - digits {
        start -= 1
        buffer[start] = 0x30
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// Ends a line, and passes on the text so far if it is enough for a piece.
  public mutating func endPiece() {
    bytes.append(0x0A)
    passOn()
  }

  /// Passes on the text so far if it is enough for a piece.
  @inlinable public mutating func passOn() {
    if bytes.count >= TextOutput.pieceSize, sink != nil { flush() }
  }

  /// Passes on the rest of the text.
  ///
  /// - Throws: the error that the sink threw.
  public mutating func finish() throws {
    flush()
    if let failure { throw failure }
  }

  @usableFromInline mutating func flush() {
    guard let sink else { return }
    defer { bytes.removeAll(keepingCapacity: true) }
    guard failure == nil else { return }
    do { try bytes.withUnsafeBytes(sink) } catch { failure = error }
  }
}

extension TextOutput {
  /// Writes a line of text.
  public mutating func line(_ text: String) {
    append(text)
    endPiece()
  }
}
