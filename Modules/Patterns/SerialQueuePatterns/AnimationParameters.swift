import AsyncPatterns
internal import SerialAnimation
import SerialQueue

/// The parameters that `animate` and `keyframes` share.
enum AnimationParameters {
  private static let curves: KeyValuePairs = [
    "linear": TimingCurve.linear, "ease": .ease, "ease-in": .easeIn, "ease-out": .easeOut,
    "ease-in-out": .easeInOut,
  ]

  static let timing = [
    Parameter(
      "duration", .duration, default: .duration(.milliseconds(300)), summary: "how long it takes"),
    Parameter(
      "delay", .duration, default: .duration(.zero), summary: "how long it waits before it starts"),
    Parameter(
      "curve", .curveOrWord(curves.map(\.key)),
      summary: "how it moves: a word or two control points"),
  ]

  static let property = Parameter(
    "property", .string, default: .string("opacity"),
    summary: "the name of the number in the trace: a word or a text")

  static func durations(_ arguments: Arguments) throws -> (duration: Duration, delay: Duration) {
    for name in ["duration", "delay"] where try arguments.duration(name) < .zero {
      throw ArgumentError(
        "“\(name)” takes a duration of 0 or more, not \(try arguments.duration(name).shortDescription)",
        parameter: name)
    }
    return (try arguments.duration("duration"), try arguments.duration("delay"))
  }

  static func property(_ arguments: Arguments) throws -> String {
    let name = try arguments.string("property")
    guard !name.isEmpty else {
      throw ArgumentError("“property” takes a name, not an empty text", parameter: "property")
    }
    return name
  }

  static func number(_ name: String, _ arguments: Arguments) throws -> Double {
    let number = try arguments.real(name)
    guard number.isFinite else {
      throw ArgumentError("“\(name)” takes a finite number, not \(number)", parameter: name)
    }
    return number
  }

  /// Nil if no curve is given.
  static func curve(_ arguments: Arguments) throws -> TimingCurve? {
    switch arguments["curve"] {
    case .string(let word)?: return curves.first { $0.key == word }?.value
    case .curve(let x1, let y1, let x2, let y2)?:
      for x in [x1, x2] where !(0...1).contains(x) {
        throw ArgumentError(
          "“curve” takes control points whose x is between 0 and 1, not \(x): time cannot run backwards",
          parameter: "curve")
      }
      return TimingCurve(x1: x1, y1: y1, x2: x2, y2: y2)
    default: return nil
    }
  }
}
