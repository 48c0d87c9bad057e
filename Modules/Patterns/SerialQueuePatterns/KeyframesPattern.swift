import AsyncPatterns
internal import SerialAnimation
import SerialQueue

/// `keyframes`: steps as the blocks of a `KeyframeSequence`.
struct KeyframesPattern: AsyncPattern {
  static let manual = Manual(
    name: "keyframes",
    summary: "Animates a number through the values of its steps, with one completion.",
    discussion: """
      Each step is a block of a KeyframeSequence: it yields the number that the property has at \
      the end of its key frame. After the delay, the steps run on the main lane, in order, each \
      with the value of the one before it; when all have completed, the number moves. Step i of n \
      begins at i/n of the whole, and takes an nth of it: the given duration. “at” and “lasts” \
      change that. Between two key frames the number stays.

      The trace records the movement as a separate step, “animation”, and the number as a counter, \
      as with animate; the number at the end is the value. If a step fails, or yields no number, \
      that failure is the result, and nothing moves. Cancelling ends the movement immediately, \
      with its current number.

      The modes: linear moves straight, discrete jumps at the end of each key frame, cubic follows \
      a smooth curve; paced and cubic-paced do so at a steady pace and ignore all times.
      """,
    parameters: [
      Parameter(
        "duration", .duration, default: .duration(.milliseconds(300)),
        summary: "how long each key frame takes"),
      Parameter(
        "delay", .duration, default: .duration(.zero),
        summary: "how long it waits before it starts"),
      Parameter(
        "mode", .word(modes.map(\.key)), default: .string("linear"),
        summary: "how numbers between key frames are computed"),
      Parameter(
        "curve", AnimationParameters.timing[2].kind,
        summary: "the pace of the whole: a word or two control points; linear unless given"),
      AnimationParameters.property,
      Parameter("from", .real, default: .real(0), summary: "the number at the start"),
    ],
    steps: .atLeast(1), ordering: .keepsOrder,
    stepOptions: [
      Parameter("at", .real, summary: "when its key frame begins, as a share of the whole"),
      Parameter("lasts", .real, summary: "how long that takes, as a share of the whole"),
    ],
    examples: [
      "keyframes { up: value 1; stay: value 1; down: value 0 }",
      "keyframes(100ms, delay: 50ms, mode: cubic, property: x) { 4 * value 0.5; value 2 }",
      """
      keyframes(1s) { in: value 1 with lasts: 10%; out: value 0 with at: 90%, lasts: 10% }
      expect makespan >= 2s
      """,
    ])

  private static let modes: KeyValuePairs = [
    "linear": CalculationMode.linear, "discrete": .discrete, "paced": .paced, "cubic": .cubic,
    "cubic-paced": .cubicPaced,
  ]

  private let duration: Duration
  private let delay: Duration
  private let mode: CalculationMode
  private let curve: TimingCurve
  private let property: String
  private let from: Double

  init(_ arguments: Arguments) throws {
    (duration, delay) = try AnimationParameters.durations(arguments)
    let mode = try arguments.string("mode")
    self.mode = Self.modes.first { $0.key == mode }?.value ?? .linear
    curve = try AnimationParameters.curve(arguments) ?? .linear
    property = try AnimationParameters.property(arguments)
    from = try AnimationParameters.number("from", arguments)
  }

  func validate(_ steps: [Step]) throws {
    try Self.manual.validate(steps)
    for (index, step) in steps.enumerated() { _ = try Self.window(step, index, of: steps.count) }
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let number = AnimatedNumber(
      property, from: from, for: whole(of: steps.count), in: scope)
    // The delay is an animation without a change, so that it is cancelled like any animation, and runs on the main
    // lane.
    number.run { [delay, from] ended in
      number.animator.animate(
        withDuration: .zero, delay: delay, options: AnimationOptions(),
        animations: { number.layer[number.property] = from }, completion: ended)
    } then: { value in
      guard value != nil else { return completion(.failure(CancellationError())) }
      values(of: steps, input: input, in: scope) { result in
        switch result {
        case .success(let values):
          move(number, through: values, of: steps, in: scope, completion)
        case .failure(let error): completion(.failure(error))
        }
      }
    }
  }

  /// Runs the steps one after another. Each starts in the completion of the step before it, so that the trace contains
  /// its cause.
  private func values(
    of steps: [Step], input: Value, in scope: Scope,
    then: @escaping @Sendable (Result<[Value], any Error>) -> Void
  ) {
    let sequence = StepSequence(steps, input: input, in: scope)
    let values = Locked<[Value]>([])
    @Sendable func start(_ index: Int) {
      guard index < steps.count else { return then(.success(values.withLock { $0 })) }
      sequence.start(index) { _ in
        switch sequence.result {
        case .success(let value):
          values.withLock { $0.append(value) }
          start(index + 1)
        case .failure(let error): then(.failure(error))
        }
      }
    }
    start(0)
  }

  private func move(
    _ number: AnimatedNumber, through values: [Value], of steps: [Step], in scope: Scope,
    _ completion: @escaping Completion
  ) {
    var keyframes: [KeyframeSequence.Keyframe] = []
    for (index, (step, value)) in zip(steps, values).enumerated() {
      guard let target = value.number else {
        return completion(.failure(StepFailure(Self.refusal(step, value))))
      }
      // The windows were checked before anything ran.
      guard let window = try? Self.window(step, index, of: steps.count) else { continue }
      keyframes.append(
        KeyframeSequence.Keyframe(
          relativeStartTime: window.start, relativeDuration: window.end - window.start
        ) { number.layer[number.property] = target })
    }
    let sequence = KeyframeSequence(
      duration: duration, mode: mode, options: AnimationOptions(timing: .curve(curve)),
      animator: number.animator)
    guard !scope.isCancelled else { return completion(.failure(CancellationError())) }
    // A separate step, so that the trace shows what still runs after all other steps have ended.
    var movement = Step("animation") { [keyframes] _, _, completion in
      number.run { ended in
        sequence.animate(keyframes: keyframes, completion: ended)
      } then: { value in
        completion(value.map { .success(.real($0)) } ?? .failure(CancellationError()))
      }
    }
    movement.kind = AnimatePattern.manual.name
    movement.options = ["on": .string("main")]
    scope.start(movement, completion: completion)
  }

  /// The duration of `count` key frames, limited to the longest possible duration.
  private func whole(of count: Int) -> Duration {
    let (product, overflow) = duration.wholeNanoseconds.multipliedReportingOverflow(
      by: Int64(count))
    return .nanoseconds(overflow ? .max : product)
  }

  private static func refusal(_ step: Step, _ value: Value) -> String {
    "“\(step.label)” yields \(value == .none ? "nothing" : value.description), but a key frame needs a "
      + "number, as in “value 0.5”"
  }

  /// The part of the whole that the key frame of a step covers.
  private static func window(
    _ step: Step, _ index: Int, of count: Int
  ) throws(CompositionError) -> (start: Double, end: Double) {
    func share(_ name: String) throws(CompositionError) -> Double? {
      guard let share = try? step.options.real(name) else { return nil }
      guard (0...1).contains(share) else {
        throw CompositionError(
          "“\(name)” takes a share of the whole, 0% to 100%, not \(share)", step: step.label)
      }
      return share
    }
    let start = try share("at") ?? Double(index) / Double(count)
    let length = try share("lasts") ?? min(1 / Double(count), 1 - start)
    guard start + length <= 1 + 1e-9 else {
      throw CompositionError(
        "the key frame of “\(step.label)” would end after the whole: it begins at \(percent(start)) and "
          + "lasts \(percent(length)); let it begin earlier, or make it shorter", step: step.label)
    }
    return (start, min(start + length, 1))
  }

  private static func percent(_ share: Double) -> String {
    let tenths = (share * 1000).rounded() / 10
    return Int(exactly: tenths).map { "\($0)%" } ?? "\(tenths)%"
  }
}

extension Value {
  /// The value as a number, if it is a finite one.
  fileprivate var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real.isFinite ? real : nil
    default: nil
    }
  }
}
