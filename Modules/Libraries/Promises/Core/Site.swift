/// Where in the source a promise was made: two words, since every promise has one.
@usableFromInline
struct Site: @unchecked Sendable, CustomStringConvertible {
  // Safe to share: it points to a constant of the program.
  @usableFromInline let file: UnsafePointer<UInt8>?
  @usableFromInline let line: UInt32

  @inlinable
  init(_ file: StaticString, _ line: UInt) {
    self.file = file.hasPointerRepresentation ? file.utf8Start : nil
    self.line = UInt32(truncatingIfNeeded: line)
  }

  @usableFromInline
  var description: String {
    "\(file.map { String(cString: $0) } ?? "unknown file"):\(line)"
  }
}
