/// A parameter of a pattern, or an option of its steps.
public struct Parameter: Sendable, Hashable {
  /// The name before the colon.
  public var name: String
  /// The kind of value it takes.
  public var kind: Kind
  /// The value if the argument is missing. A parameter without a default may be left out unless it is required.
  public var defaultValue: Value?
  /// Whether a missing argument is an error. With a default it is not.
  public var isRequired: Bool
  /// The clocks on which it may be given. On another clock, it is rejected before anything runs.
  public var clocks: Set<ClockKind>
  /// Its meaning, in a few words.
  public var summary: String

  public init(
    _ name: String, _ kind: Kind, default defaultValue: Value? = nil, isRequired: Bool = false,
    clocks: Set<ClockKind> = [.live, .virtual], summary: String = ""
  ) {
    self.name = name
    self.kind = kind
    self.defaultValue = defaultValue
    self.isRequired = isRequired
    self.clocks = clocks
    self.summary = summary
  }

  /// The kind of value a parameter takes.
  public enum Kind: Sendable, Hashable {
    case bool
    case integer(ClosedRange<Int> = Int.min...Int.max)
    case real
    case duration
    case string
    /// One of these words.
    case word([String])
    case size
    case curve
    /// A curve, or one of these words, each of which names a curve.
    case curveOrWord([String])
    /// Any literal.
    case value

    /// The kind as text for error messages and the help.
    public var text: String {
      switch self {
      case .bool: return "true or false"
      case .integer(let range):
        if range == Int.min...Int.max { return "a whole number" }
        if range.upperBound == .max { return "a whole number from \(range.lowerBound)" }
        return "a whole number from \(range.lowerBound) to \(range.upperBound)"
      case .real: return "a number"
      case .duration: return "a duration"
      case .string: return "a string"
      case .word(let words): return words.joined(separator: " or ")
      case .size: return "a size"
      case .curve: return "a curve"
      case .curveOrWord(let words): return words.joined(separator: ", ") + " or a curve"
      case .value: return "a value"
      }
    }

    /// The words that it takes, if any.
    public var words: [String] {
      switch self {
      case .word(let words), .curveOrWord(let words): words
      default: []
      }
    }

    /// The value converted to this kind, or nil if the kind does not take it.
    func accept(_ value: Value) -> Value? {
      switch (self, value) {
      case (.bool, .bool), (.real, .real), (.duration, .duration), (.string, .string),
        (.size, .size), (.curve, .curve), (.value, _):
        value
      case (.real, .integer(let integer)): .real(Double(integer))
      case (.duration, .integer(0)): .duration(.zero)
      case (.integer(let range), .integer(let integer)) where range.contains(integer): value
      case (.word(let words), .string(let word)) where words.contains(word): value
      case (.curveOrWord, .curve): value
      case (.curveOrWord(let words), .string(let word)) where words.contains(word): value
      default: nil
      }
    }
  }
}

extension Manual {
  /// Converts arguments to the form that a pattern receives. Positional arguments get the names of the parameters in
  /// order, each argument is checked, and defaults are filled in.
  ///
  /// - Parameter arguments: as written, in order. A positional argument has no name.
  public func resolve(_ arguments: [(name: String?, value: Value)]) throws(ArgumentError)
    -> Arguments
  {
    try Parameter.resolve(arguments, against: parameters, of: name, isOption: false)
  }

  /// The options of one of this pattern's steps, checked, with defaults filled in.
  public func resolveOptions(_ options: [(name: String?, value: Value)]) throws(ArgumentError)
    -> Arguments
  {
    try Parameter.resolve(options, against: stepOptions, of: name, isOption: true)
  }
}

extension Parameter {
  static func resolve(
    _ written: [(name: String?, value: Value)], against parameters: [Parameter], of owner: String,
    isOption: Bool
  ) throws(ArgumentError) -> Arguments {
    var result = Arguments()
    let noun = isOption ? "option" : "parameter"
    var unfilled = parameters[...]
    for (position, argument) in written.enumerated() {
      let parameter: Parameter
      if let name = argument.name {
        guard let named = parameters.first(where: { $0.name == name }) else {
          let known = parameters.map(\.name)
          let list = known.map { "“\($0)”" }.joined(separator: ", ")
          throw ArgumentError(
            known.isEmpty
              ? "“\(owner)” takes no \(noun)s"
              : "“\(owner)” has no \(noun) “\(name)”; "
                + (known.count == 1 ? "its only \(noun) is \(list)" : "its \(noun)s are \(list)"),
            position: position, suggestions: known)
        }
        parameter = named
      } else {
        unfilled = unfilled.drop { result[$0.name] != nil }
        guard let next = unfilled.popFirst() else {
          throw ArgumentError(
            parameters.isEmpty
              ? "“\(owner)” takes no arguments"
              : "“\(owner)” takes at most \(parameters.count) "
                + (parameters.count == 1 ? "argument" : "arguments"), position: position)
        }
        parameter = next
      }
      guard result[parameter.name] == nil else {
        throw ArgumentError(
          "“\(parameter.name)” is given twice", parameter: parameter.name, position: position)
      }
      guard let value = parameter.kind.accept(argument.value) else {
        throw ArgumentError(
          "“\(parameter.name)” takes \(parameter.kind.text), not \(argument.value)",
          parameter: parameter.name, position: position, suggestions: parameter.kind.words)
      }
      result[parameter.name] = value
    }
    for parameter in parameters where result[parameter.name] == nil {
      if let value = parameter.defaultValue {
        result[parameter.name] = value
      } else if parameter.isRequired {
        throw ArgumentError(
          "“\(owner)” needs “\(parameter.name)”, \(parameter.kind.text)",
          parameter: parameter.name)
      }
    }
    return result
  }
}
