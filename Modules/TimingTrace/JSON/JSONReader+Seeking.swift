/// Looking for something in text that may be of any kind.
extension JSONReader {
  /// Passes over the mark that some programs put before everything else.
  mutating func skipMark() {
    if position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Looks for a member of the object that begins here.
  ///
  /// - Returns: whether it has one of that name; otherwise the reader stands behind the object, or where it is none.
  /// - Complexity: O(n) in what stands before that member.
  mutating func reachesMember(_ name: String) -> Bool {
    guard take("{") else { return false }
    skipSpace()
    if take("}") { return false }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\""), let member = try? string() else { return false }
      skipSpace()
      guard take(":") else { return false }
      if member == name { return true }
      guard (try? skipValue(depth: 1)) != nil else { return false }
      skipSpace()
    } while take(",")
    _ = take("}")
    return false
  }
}
