import AsyncPatterns
import PlaygroundLanguage

/// The depth of nested steps: in patterns, and in names that refer to other names.
struct NestingDepth {
  var patterns = 0
  var names = 0

  /// Whether steps of that height can be nested here.
  func allows(_ height: NestingDepth) -> Bool {
    patterns + height.patterns <= Parser.deepestNesting
      && names + height.names <= Parser.deepestNesting
  }
}

/// The meaning that was found for a name. It contains nil if the name's expression has an error.
struct Remembered {
  enum Meaning {
    case step(Step?)
    case steps(WrittenSteps?)
  }

  var meaning: Meaning
  var height: NestingDepth
}

extension Composer {
  /// Enters a pattern, one level deeper. If that is too deep, reports it and returns false.
  mutating func enterPattern(at range: SourceRange) -> Bool {
    guard depth.patterns < Parser.deepestNesting else {
      if let nameInUse {
        reportDepth(of: nameInUse)
      } else {
        report("steps are nested more than \(Parser.deepestNesting) deep", at: range)
      }
      return false
    }
    depth.patterns += 1
    reached.patterns = max(reached.patterns, depth.patterns)
    return true
  }

  /// The step that a name stands for, with the name as its label.
  mutating func boundStep(_ call: CallSyntax, _ binding: Binding) -> Step? {
    let name = call.callee.text
    guard call.plainName != nil else {
      report(
        "“\(name)” is a bound name, so it takes no arguments and no steps",
        at: call.range, hint: "write “\(name)” alone")
      return nil
    }
    guard !binding.isUnusable else { return nil }
    guard !binding.isList else {
      report(
        "“\(name)” is a list and needs a pattern to run it", at: call.range,
        hint: "write for instance: serial \(name)")
      return nil
    }
    let meaning = meaning(
      of: ObjectIdentifier(binding.identity), at: call.range, in: binding.source, binding.names
    ) {
      .step($0.step(binding.expression))
    }
    guard case .step(var step?) = meaning else { return nil }
    step.label = name
    return step
  }

  /// The steps of the list that `name` stands for. The name becomes part of their group.
  mutating func steps(of list: NamedList, called name: NameSyntax) -> WrittenSteps? {
    guard !list.isUnusable else { return nil }
    let meaning = meaning(of: ObjectIdentifier(list), at: name.range, in: list.source, list.names) {
      .steps($0.steps(list.syntax))
    }
    guard case .steps(var inner?) = meaning else { return nil }
    for index in inner.steps.indices {
      let group = inner.steps[index].group
      inner.steps[index].group = group.map { "\(name.text)/\($0)" } ?? name.text
    }
    return inner
  }

  /// Composes an expression from its own source and with its own names, unless its result is already stored.
  private mutating func meaning(
    of identity: ObjectIdentifier, at range: SourceRange, in place: Source, _ names: Bindings,
    _ compose: (inout Composer) -> Remembered.Meaning
  ) -> Remembered.Meaning? {
    if let known = remembered[identity] {
      guard depth.allows(known.height) else {
        reportDepth(of: nameInUse ?? (range, source))
        return nil
      }
      reached.patterns = max(reached.patterns, depth.patterns + known.height.patterns)
      reached.names = max(reached.names, depth.names + known.height.names)
      return known.meaning
    }
    guard depth.names < Parser.deepestNesting else {
      reportDepth(of: nameInUse ?? (range, source))
      return nil
    }
    if depth.names == 0 { nameInUse = (range, source) }
    let outer = (source, bindings, depth, reached)
    (source, bindings, reached) = (place, names, depth)
    depth.names += 1
    reached.names = depth.names
    let meaning = compose(&self)
    let height = NestingDepth(
      patterns: reached.patterns - outer.2.patterns, names: reached.names - outer.2.names)
    remembered[identity] = Remembered(meaning: meaning, height: height)
    (source, bindings, depth) = (outer.0, outer.1, outer.2)
    if depth.names == 0 { nameInUse = nil }
    reached.patterns = max(reached.patterns, outer.3.patterns)
    reached.names = max(reached.names, outer.3.names)
    return meaning
  }

  /// Reports nesting that is too deep, at the name that was used, not at the innermost step.
  private mutating func reportDepth(of name: (range: SourceRange, source: Source)) {
    report(
      "the steps of this name are nested more than \(Parser.deepestNesting) deep",
      at: name.range, in: name.source)
  }
}
