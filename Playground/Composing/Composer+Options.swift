public import AsyncPatterns
import PlaygroundLanguage

extension Composer {
  /// The option that the kernel gives every step.
  public static let laneOption = Parameter(
    "on", .word(["main", "pool"]), summary: "the lane the step starts on")

  /// Gives the steps their options as the pattern's manual has them, beside the kernel's own `on`;
  /// false where something is wrong with one.
  mutating func resolveOptions(of steps: inout WrittenSteps, under manual: Manual) -> Bool {
    var known = manual
    known.stepOptions.append(Composer.laneOption)
    let found = diagnostics.count
    // The copies of a count have their options in common, and so has what is wrong with them.
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
