/// The place in the source code where a promise was made. It takes only two machine words, since every promise has one.
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

  /// The same place without the module.
  var shortDescription: String {
    let text = description
    return text.lastIndex(of: "/").map { String(text[text.index(after: $0)...]) } ?? text
  }

  @usableFromInline
  var description: String {
    "\(file.map { String(cString: $0) } ?? "unknown file"):\(line)"
  }
}
