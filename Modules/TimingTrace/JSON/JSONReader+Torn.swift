extension JSONReader {
  /// What is whole of an object that breaks off: of an object its whole members and what is whole of a list or an
  /// object that is the last, of a list its whole elements. A number that the bytes end with may have had more digits.
  ///
  /// - Parameter bytes: in which nothing is wrong but that they have no end.
  /// - Returns: null if they begin with no object.
  /// - Complexity: O(n).
  static func wholeParts(of bytes: some Sequence<UInt8>) -> JSONValue {
    Array(bytes).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes: bytes)
      reader.isStrict = true
      reader.skipSpace()
      return reader.peek == UInt8(ascii: "{") ? .object(reader.wholeMembers(depth: 0)) : .null
    }
  }

  // Whatever fails here fails where the bytes end: anything else has been found before.

  private mutating func wholeMembers(depth: Int) -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    position += 1
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\""), let name = try? string() else { break }
      skipSpace()
      guard take(":"), let value = wholePart(depth: depth + 1) else { break }
      result[name] = value
      skipSpace()
    } while take(",")
    _ = take("}")
    return result
  }

  private mutating func wholePart(depth: Int) -> JSONValue? {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return .object(wholeMembers(depth: depth))
    case UInt8(ascii: "["): return .array(wholeElements(depth: depth))
    default: return wholeValue(depth: depth)
    }
  }

  private mutating func wholeElements(depth: Int) -> [JSONValue] {
    var result: [JSONValue] = []
    position += 1
    repeat {
      guard let value = wholeValue(depth: depth + 1) else { break }
      result.append(value)
      skipSpace()
    } while take(",")
    _ = take("]")
    return result
  }

  private mutating func wholeValue(depth: Int) -> JSONValue? {
    guard let value = try? value(depth: depth) else { return nil }
    if let last = bytes.last, position == bytes.count, JSONReader.isOfNumber(last),
      value != .bool(true), value != .bool(false)
    {
      return nil
    }
    return value
  }
}
