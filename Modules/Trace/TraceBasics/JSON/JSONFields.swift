/// The fields of a JSON object that another program may have written. Each is read with its type.
public struct JSONFields {
  /// The error about a field that is missing or has the wrong type.
  public struct Mismatch: Error {
    public let message: String
    /// What to do, if that is known here: “Remove all lines of run 2”.
    public let fix: String?

    public init(message: String, fix: String? = nil) {
      self.message = message
      self.fix = fix
    }
  }

  private let fields: JSONObject
  private let what: String

  /// - Parameter what: the name of the object in errors.
  public init(_ value: JSONValue?, _ what: String) throws(Mismatch) {
    guard case .object(let fields)? = value else {
      throw Mismatch(message: "\(what) should be an object in braces")
    }
    self.fields = fields
    self.what = what
  }

  /// The name of the first field.
  public var firstName: String? { fields.fields.first?.name }

  public subscript(name: String) -> JSONValue? {
    let value = fields[name]
    return value == .null ? nil : value
  }

  public func string(_ name: String) throws(Mismatch) -> String {
    guard case .string(let string)? = self[name] else { throw mismatch(name, "a string") }
    return string
  }

  public func optionalString(_ name: String) throws(Mismatch) -> String? {
    self[name] == nil ? nil : try string(name)
  }

  public func integer(_ name: String) throws(Mismatch) -> Int64 {
    guard case .integer(let integer)? = self[name] else { throw mismatch(name, "a whole number") }
    return integer
  }

  public func optionalInteger(_ name: String) throws(Mismatch) -> Int64? {
    self[name] == nil ? nil : try integer(name)
  }

  /// A whole number that is not negative.
  public func count(_ name: String) throws(Mismatch) -> Int {
    guard let count = Int(exactly: try integer(name)), count >= 0 else {
      throw mismatch(name, "a whole number from 0")
    }
    return count
  }

  /// A whole number of 32 bits.
  ///
  /// - Parameter missing: the number if the field is missing; nil if a missing field is an error.
  public func number32(_ name: String, default missing: UInt32? = nil) throws(Mismatch) -> UInt32 {
    if let missing, self[name] == nil { return missing }
    guard let number = UInt32(exactly: try integer(name)) else {
      throw mismatch(name, "a whole number from 0 to \(UInt32.max)")
    }
    return number
  }

  public func optionalNumber(_ name: String) throws(Mismatch) -> Double? {
    switch self[name] {
    case nil: return nil
    case .integer(let integer)?: return Double(integer)
    case .number(let number)?: return number
    default: throw mismatch(name, "a number")
    }
  }

  public func bool(_ name: String, default missing: Bool) throws(Mismatch) -> Bool {
    switch self[name] {
    case nil: return missing
    case .bool(let bool)?: return bool
    default: throw mismatch(name, "true or false")
    }
  }

  public func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) throws(Mismatch)
    -> Word
  {
    guard let word = Word(rawValue: try string(name)) else {
      throw mismatch(name, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  public func list<Element>(
    _ name: String, _ element: (JSONValue) throws(Mismatch) -> Element
  ) throws(Mismatch) -> [Element] {
    guard case .array(let values)? = self[name] else { throw mismatch(name, "a list") }
    var result: [Element] = []
    result.reserveCapacity(values.count)
    for value in values { result.append(try element(value)) }
    return result
  }

  public func mismatch(_ name: String, _ expected: String) -> Mismatch {
    Mismatch(
      message: "“\(name)” of \(what)\(self[name] == nil ? " is missing: it" : "") takes \(expected)"
    )
  }
}
