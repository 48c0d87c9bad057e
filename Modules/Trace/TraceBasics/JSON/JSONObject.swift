/// The fields of a JSON object, in the order in which they were read. A later field replaces one of the same name.
public struct JSONObject: Equatable {
  public struct Field: Equatable {
    public let name: String
    public var value: JSONValue
  }

  public private(set) var fields: [Field] = []
  /// The position of each field by its name; empty while there are few fields.
  private var positions: [String: Int] = [:]

  /// With at most this many fields, comparing their names takes less time than hashing one.
  private static let few = 16

  public subscript(name: String) -> JSONValue? { position(of: name).map { fields[$0].value } }

  /// - Returns: whether there was no field of that name.
  /// - Complexity: O(1).
  public mutating func set(_ name: String, to value: JSONValue) -> Bool {
    if let known = position(of: name) {
      fields[known].value = value
      return false
    }
    fields.append(Field(name: name, value: value))
    if !positions.isEmpty {
      positions[name] = fields.count - 1
    } else if fields.count > Self.few {
      for (position, field) in fields.enumerated() { positions[field.name] = position }
    }
    return true
  }

  private func position(of name: String) -> Int? {
    positions.isEmpty ? fields.firstIndex { $0.name == name } : positions[name]
  }
}
