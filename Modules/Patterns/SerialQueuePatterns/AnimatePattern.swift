import AsyncPatterns
internal import SerialAnimation
import SerialQueue

/// `animate`: one animation of a `LayerAnimator`.
struct AnimatePattern: AsyncPattern {
  static let manual = Manual(
    name: "animate",
    summary: "Animates a number, and completes at the exact end of the animation.",
    discussion: """
      A LayerAnimator animates one property of a layer, like UIView: it waits for the delay, and \
      then takes the number from its start to its end, along a curve or with a spring. The trace \
      records it as a counter named after the property: at the start, at each of 60 frames a \
      second (1000 frames at most), and at the end. The number at the end is the value. It blocks \
      no thread, and runs on the main lane.

      It ends when delay and duration have passed, not at the frame after that. Cancelling ends it \
      immediately, with its current number.

      The curves are those of CSS and UIKit: linear, ease, ease-in, ease-out and ease-in-out, \
      which is the default; or four numbers, as in cubic-bezier(). A spring is given by its \
      damping ratio: with 1 it comes to rest without overshooting, with less it swings.

      The trap is to mistake “called” for “ended”: animations that are requested one after another \
      run in parallel. Put them under serial.
      """,
    parameters: AnimationParameters.timing + [
      Parameter(
        "spring", .real, summary: "instead of a curve: the damping ratio of a spring, above 0"),
      AnimationParameters.property,
      Parameter("from", .real, default: .real(0), summary: "the number at the start"),
      Parameter("to", .real, default: .real(1), summary: "the number at the end"),
    ],
    steps: .none,
    examples: [
      "animate",
      "animate(duration: 1s, delay: 50ms, curve: ease-out, property: x, from: 10, to: 250)",
      "animate(300ms, curve: (0.2, 0, 0, 1))",
      "animate(500ms, spring: 0.6, property: scale, from: 0.5)",
      """
      serial { fadeIn: animate; pause: sleep 3s; fadeOut: animate(from: 1, to: 0) }
      expect makespan >= 3600ms
      expect blocked == 0ms
      """,
    ])

  private let duration: Duration
  private let delay: Duration
  private let timing: AnimationTiming
  private let property: String
  private let from: Double
  private let to: Double

  init(_ arguments: Arguments) throws {
    (duration, delay) = try AnimationParameters.durations(arguments)
    property = try AnimationParameters.property(arguments)
    from = try AnimationParameters.number("from", arguments)
    to = try AnimationParameters.number("to", arguments)
    let curve = try AnimationParameters.curve(arguments)
    guard arguments["spring"] != nil else {
      timing = .curve(curve ?? .easeInOut)
      return
    }
    let ratio = try AnimationParameters.number("spring", arguments)
    guard ratio > 0 else {
      throw ArgumentError(
        "“spring” takes a damping ratio above 0, not \(ratio): a spring without damping never rests",
        parameter: "spring")
    }
    guard curve == nil else {
      throw ArgumentError(
        "“animate” uses a curve or a spring, not both: leave out “curve” or “spring”",
        parameter: "spring")
    }
    timing = .spring(dampingRatio: ratio)
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let number = AnimatedNumber(property, from: from, for: duration, in: scope)
    number.run { [duration, delay, timing, to] ended in
      number.animator.animate(
        withDuration: duration, delay: delay, options: AnimationOptions(timing: timing),
        animations: { number.layer[number.property] = to }, completion: ended)
    } then: { value in
      completion(value.map { .success(.real($0)) } ?? .failure(CancellationError()))
    }
  }
}
