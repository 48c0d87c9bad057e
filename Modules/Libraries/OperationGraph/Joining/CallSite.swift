/// A source location: where something was entered or requested.
struct CallSite: Hashable, Sendable, CustomStringConvertible {
  // The address of the name of the file, a literal that is never freed. If two addresses are equal, the files are
  // equal. But one file may have two addresses.
  private let start: UInt
  private let line: UInt

  init(file: StaticString, line: UInt) {
    start = file.hasPointerRepresentation ? UInt(bitPattern: file.utf8Start) : 0
    self.line = line
  }

  var description: String {
    guard let file = UnsafePointer<CChar>(bitPattern: start) else { return "?:\(line)" }
    return "\(String(cString: file)):\(line)"
  }
}
