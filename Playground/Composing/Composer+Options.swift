public import AsyncPatterns
import PlaygroundLanguage

extension Composer {
  /// The option that each step has, independent of its pattern.
  public static let laneOption = Parameter(
    "on", .word(["main", "pool"]), summary: "the lane the step starts on")

  /// Resolves the options of the steps: those in the pattern's manual, and the option `on`, which each step has.
  /// Returns false if an option has an error.
  mutating func resolveOptions(of steps: inout WrittenSteps, under manual: Manual) -> Bool {
    var known = manual
    known.stepOptions.append(Composer.laneOption)
    let found = diagnostics.count
    // The copies made by a count share their options, so an error in them is reported once.
    var resolved: [Int: Arguments] = [:]
    for (origin, written) in steps.written.enumerated()
    where !written.options.isEmpty || !manual.stepOptions.isEmpty {
      if diagnostics.count >= Self.mostDiagnostics { break }
      resolved[origin] = options(of: written, known)
    }
    guard diagnostics.count == found else { return false }
    if resolved.isEmpty { return true }
    for (index, origin) in steps.origins.enumerated() {
      if let options = resolved[origin] { steps.steps[index].options = options }
    }
    return true
  }

  private mutating func options(of written: WrittenStep, _ manual: Manual) -> Arguments? {
    do throws(ArgumentError) {
      return try manual.resolveOptions(
        written.options.map { (name: $0.syntax.name.text, value: $0.syntax.value.asValue) })
    } catch {
      let option = error.position.map { written.options[$0] }
      report(
        error, at: option?.syntax.range ?? written.range, in: option?.source ?? written.source,
        name: option?.syntax.name, option?.syntax.value)
      return nil
    }
  }
}
