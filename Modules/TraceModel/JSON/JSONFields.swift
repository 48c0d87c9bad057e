internal import AsyncPatterns

/// The fields of a JSON object that another program may have written. Each is read with its type.
package struct JSONFields {
  /// What is wrong with the fields.
  package struct Mismatch: Error {
    package let message: String

    package init(message: String) { self.message = message }
  }

  private let fields: JSONObject
  private let what: String

  /// - Parameter what: what the object is, for errors.
  package init(_ value: JSONValue?, _ what: String) throws(Mismatch) {
    guard case .object(let fields)? = value else {
      throw Mismatch(message: "\(what) should be an object in braces")
    }
    self.fields = fields
    self.what = what
  }

  /// The name of the first field.
  package var firstName: String? { fields.fields.first?.name }

  package subscript(name: String) -> JSONValue? {
    let value = fields[name]
    return value == .null ? nil : value
  }

  package func string(_ name: String) throws(Mismatch) -> String {
    guard case .string(let string)? = self[name] else { throw mismatch(name, "a string") }
    return string
  }

  package func optionalString(_ name: String) throws(Mismatch) -> String? {
    self[name] == nil ? nil : try string(name)
  }

  package func integer(_ name: String) throws(Mismatch) -> Int64 {
    guard case .integer(let integer)? = self[name] else { throw mismatch(name, "a whole number") }
    return integer
  }

  package func optionalInteger(_ name: String) throws(Mismatch) -> Int64? {
    self[name] == nil ? nil : try integer(name)
  }

  /// A whole number that is not negative.
  package func count(_ name: String) throws(Mismatch) -> Int {
    guard let count = Int(exactly: try integer(name)), count >= 0 else {
      throw mismatch(name, "a whole number from 0")
    }
    return count
  }

  /// A whole number of 32 bits.
  ///
  /// - Parameter missing: stands for a field that is missing; nil if it must be there.
  package func number32(_ name: String, default missing: UInt32? = nil) throws(Mismatch) -> UInt32 {
    if let missing, self[name] == nil { return missing }
    guard let number = UInt32(exactly: try integer(name)) else {
      throw mismatch(name, "a whole number from 0 to \(UInt32.max)")
    }
    return number
  }

  package func optionalNumber(_ name: String) throws(Mismatch) -> Double? {
    switch self[name] {
    case nil: return nil
    case .integer(let integer)?: return Double(integer)
    case .number(let number)?: return number
    default: throw mismatch(name, "a number")
    }
  }

  package func bool(_ name: String, default missing: Bool) throws(Mismatch) -> Bool {
    switch self[name] {
    case nil: return missing
    case .bool(let bool)?: return bool
    default: throw mismatch(name, "true or false")
    }
  }

  package func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) throws(Mismatch)
    -> Word
  {
    guard let word = Word(rawValue: try string(name)) else {
      throw mismatch(name, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  package func list<Element>(
    _ name: String, _ element: (JSONValue) throws(Mismatch) -> Element
  ) throws(Mismatch) -> [Element] {
    guard case .array(let values)? = self[name] else { throw mismatch(name, "a list") }
    var result: [Element] = []
    result.reserveCapacity(values.count)
    for value in values { result.append(try element(value)) }
    return result
  }

  package func mismatch(_ name: String, _ expected: String) -> Mismatch {
    Mismatch(
      message: "“\(name)” of \(what)\(self[name] == nil ? " is missing: it" : "") takes \(expected)"
    )
  }
}

extension Value {
  /// The value that JSON stands for, as `Value` decodes itself.
  package init(_ json: JSONValue?) {
    switch json {
    case .null, nil: self = .none
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .integer(Int(integer))
    case .number(let number): self = .real(number)
    case .string(let string): self = .string(string)
    case .array(let values): self = .list(values.map { Value($0) })
    // No value is written as an object.
    case .object: self = .none
    }
  }
}
