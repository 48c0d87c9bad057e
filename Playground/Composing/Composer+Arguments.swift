import AsyncPatterns
import PlaygroundLanguage

extension Composer {
  /// The arguments of a call, including positional literals, resolved with the manual.
  mutating func arguments(of call: CallSyntax, _ manual: Manual) -> Arguments? {
    do throws(ArgumentError) {
      let arguments = try manual.resolve(
        call.writtenArguments.map { (name: $0.name?.text, value: $0.value.asValue) })
      try checkClock(of: arguments, manual)
      return arguments
    } catch {
      report(error, in: call, manual)
      return nil
    }
  }

  /// Rejects an argument that is given but is for another clock.
  private func checkClock(of arguments: Arguments, _ manual: Manual) throws(ArgumentError) {
    for parameter in manual.parameters where !parameter.clocks.contains(clock) {
      guard let value = arguments[parameter.name], value != parameter.defaultValue else { continue }
      let clocks = parameter.clocks.map(\.rawValue).sorted().joined(separator: " or ")
      throw ArgumentError(
        "“\(parameter.name)” is for the \(clocks) clock only, but this run is on the "
          + "\(clock.rawValue) clock; leave it out"
          + (isClockGiven ? "" : ", or write: set clock \(clocks)"), parameter: parameter.name)
    }
  }

  mutating func runs(_ manual: Manual, at name: NameSyntax) -> Bool {
    guard !manual.clocks.contains(clock) else { return true }
    let clocks = manual.clocks.map(\.rawValue).sorted().joined(separator: " or ")
    report(
      "“\(manual.name)” runs on the \(clocks) clock only, "
        + "but this run is on the \(clock.rawValue) clock", at: name.range,
      hint: clock == .live
        ? "write: set clock virtual"
        : "use “sleep” or “work” instead, with the time that it takes"
          + (isClockGiven ? "" : ", or write: set clock live"))
    return false
  }

  /// Returns the result of `make`. If it throws, reports the error at the argument or at the call.
  mutating func attempt<Made>(
    _ call: CallSyntax, _ manual: Manual, _ make: () throws -> Made
  ) -> Made? {
    do {
      return try make()
    } catch let error as ArgumentError {
      report(error, in: call, manual)
    } catch {
      report(
        "“\(manual.name)” cannot be made: its initializer threw \(error)", at: call.range,
        hint: "change its arguments; its author can throw an ArgumentError, which names one")
    }
    return nil
  }

  private mutating func report(_ error: ArgumentError, in call: CallSyntax, _ manual: Manual) {
    let written = call.writtenArguments
    // For an argument that the pattern itself rejects, only the parameter is known.
    let position =
      error.position
      ?? error.parameter.flatMap { name in
        written.firstIndex { $0.name?.text == name }
          ?? manual.parameters.firstIndex { $0.name == name }.flatMap {
            $0 < written.count && written[$0].name == nil ? $0 : nil
          }
      }
    let argument = position.map { written[$0] }
    var shown = error
    var hint: String?
    // If the error has a position, the value has the wrong kind.
    if error.position != nil, let argument,
      let parameter = manual.parameters.first(where: { $0.name == error.parameter })
    {
      // If a step has only one parameter, its name is left out, as in “sleep 5”.
      if argument.name == nil, manual.parameters.count == 1 {
        shown.message =
          "“\(manual.name)” takes \(parameter.kind.text), not \(argument.value.asValue)"
      }
      if parameter.kind == .duration, case .literal(let literal) = argument.value,
        literal.value.isPlainNumber
      {
        let number = literal.asValue
        hint = "a duration has a unit: \(number)ms or \(number)s"
      }
    }
    if argument == nil,
      let missing = manual.parameters.first(where: { $0.name == error.parameter && $0.isRequired })
    {
      if manual.parameters.count == 1, manual.steps == .none {
        shown.message = "“\(manual.name)” needs \(missing.kind.text)"
      }
      hint = "“help \(manual.name)” explains its arguments"
    }
    report(
      shown, at: argument?.range ?? call.range, name: argument?.name, argument?.value, hint: hint)
  }

  /// Reports an error in an argument or an option, with the name or word that the user probably meant.
  mutating func report(
    _ error: ArgumentError, at range: SourceRange, in place: Source? = nil, name: NameSyntax?,
    _ value: ValueSyntax?, hint: String? = nil
  ) {
    // If the error has no parameter, the name itself is wrong.
    let wrong = error.parameter == nil ? name?.text : value?.asValue.text
    let near = wrong.flatMap { nearest(to: $0, among: error.suggestions) }
    report(error.message, at: range, in: place, hint: near.map { "did you mean “\($0)”?" } ?? hint)
  }
}

/// An argument as written. One without a name is positional.
private struct WrittenArgument {
  var name: NameSyntax?
  var value: ValueSyntax
  var range: SourceRange
}

extension CallSyntax {
  /// The arguments in parentheses, followed by the literals after them.
  fileprivate var writtenArguments: [WrittenArgument] {
    arguments.map { WrittenArgument(name: $0.name, value: $0.value, range: $0.range) }
      + literals.map { WrittenArgument(name: nil, value: .literal($0), range: $0.range) }
  }
}
