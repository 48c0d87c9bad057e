/// The arguments of a pattern or the options of a step: named values, in the order they were given.
///
/// The arguments that a pattern's `init` receives have been checked against its manual and completed with the manual's
/// defaults. So an accessor throws only if the manual has no such parameter or gives it another kind, or if an optional
/// argument without a default was left out.
public struct Arguments: Sendable, Hashable {
  private var values: [Argument]

  public init() { values = [] }

  /// The value named `name`. Setting nil removes it.
  public subscript(name: String) -> Value? {
    get { values.first { $0.name == name }?.value }
    set {
      values.removeAll { $0.name == name }
      if let newValue { values.append(Argument(name: name, value: newValue)) }
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool { values.isEmpty }

  /// The names, in the order they were given.
  public var names: [String] { values.map(\.name) }
}

private struct Argument: Sendable, Hashable {
  var name: String
  var value: Value
}

extension Arguments: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}

extension Arguments {
  /// The whole number named `name`.
  public func integer(_ name: String) throws(ArgumentError) -> Int {
    if case .integer(let integer)? = self[name] { return integer }
    throw mismatch(name, "a whole number")
  }

  /// The number named `name`; a whole number is converted.
  public func real(_ name: String) throws(ArgumentError) -> Double {
    switch self[name] {
    case .real(let real)?: return real
    case .integer(let integer)?: return Double(integer)
    default: throw mismatch(name, "a number")
    }
  }

  /// The duration named `name`.
  public func duration(_ name: String) throws(ArgumentError) -> Duration {
    if case .duration(let duration)? = self[name] { return duration }
    throw mismatch(name, "a duration")
  }

  /// The string or word named `name`.
  public func string(_ name: String) throws(ArgumentError) -> String {
    if case .string(let string)? = self[name] { return string }
    throw mismatch(name, "a string")
  }

  /// The truth value named `name`.
  public func bool(_ name: String) throws(ArgumentError) -> Bool {
    if case .bool(let bool)? = self[name] { return bool }
    throw mismatch(name, "true or false")
  }

  private func mismatch(_ name: String, _ expected: String) -> ArgumentError {
    guard let value = self[name] else {
      return ArgumentError("“\(name)” is missing: it takes \(expected)", parameter: name)
    }
    return ArgumentError("“\(name)” takes \(expected), not \(value.typeName)", parameter: name)
  }
}

/// The error about a wrong argument: the reason, the parameter and the position.
public struct ArgumentError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, and what is expected.
  public var message: String
  /// The parameter concerned, if there is one.
  public var parameter: String?
  /// The position among the written arguments, if one of them is wrong.
  public var position: Int?
  /// The names or words that would be accepted. One of them was probably meant.
  public var suggestions: [String]

  public init(
    _ message: String, parameter: String? = nil, position: Int? = nil, suggestions: [String] = []
  ) {
    self.message = message
    self.parameter = parameter
    self.position = position
    self.suggestions = suggestions
  }

  public var description: String { message }
}
