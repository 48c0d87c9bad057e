/// A line of somebody's source: where something was entered or asked for.
struct SourceSite: Hashable, Sendable, CustomStringConvertible {
  // Of the literal, which never goes: comparing the pointers may take one file for two, never two for one.
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
