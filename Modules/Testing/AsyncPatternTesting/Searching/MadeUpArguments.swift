import AsyncPatterns

extension Manual {
  /// `given`, with the smallest sensible value for each required argument that is missing.
  ///
  /// - Parameter fillsOptional: whether optional whole numbers and durations are made up, too.
  func madeUpArguments(
    _ given: Arguments, fillsOptional: Bool
  ) throws(ArgumentError) -> Arguments {
    var written = given.names.map { (name: String?.some($0), value: given[$0] ?? .none) }
    for parameter in parameters where given[parameter.name] == nil {
      let isWanted =
        parameter.isRequired || (fillsOptional && parameter.kind.isQuantity)
      if isWanted, parameter.defaultValue == nil {
        written.append((parameter.name, parameter.kind.smallestSensible))
      }
    }
    return try resolve(written)
  }

  /// Options for a step, with the smallest sensible value for each required option.
  func madeUpOptions() -> Arguments {
    let needed = stepOptions.filter { $0.isRequired && $0.defaultValue == nil }
    let written = needed.map { (name: String?.some($0.name), value: $0.kind.smallestSensible) }
    // A made-up value always has the kind of its option.
    return (try? resolveOptions(written)) ?? Arguments()
  }
}

extension Parameter.Kind {
  fileprivate var isQuantity: Bool {
    switch self {
    case .integer, .duration: true
    default: false
    }
  }

  fileprivate var smallestSensible: Value {
    switch self {
    case .bool: .bool(false)
    case .integer(let range): .integer(min(max(2, range.lowerBound), range.upperBound))
    case .real: .real(1)
    case .duration: .duration(.milliseconds(1))
    case .string: .string("text")
    case .word(let words), .curveOrWord(let words): .string(words.first ?? "")
    case .size: .size(16, 16)
    case .curve: .curve(0.25, 0.1, 0.25, 1)
    case .value: .integer(1)
    }
  }
}
