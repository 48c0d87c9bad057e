import AsyncPatterns
import AsyncRender

/// `scroll.figure`: what came of the last fling, beside another one.
struct FigurePattern: AsyncPattern {
  typealias Figure = ScrollReport.Figure
  typealias Drawing = ScrollSettings.Drawing

  static let manual = Manual(
    name: "scroll.figure",
    summary: "A figure of the last fling in some way, or how many times that of another way it is.",
    discussion: """
      The last fling on the clock that is set, so that all its figures can be looked at without another one. With \
      per it is a ratio: 0.5 is half as much as the other way has. Of nothing and nothing it is 1; of something \
      and nothing there is none, and it fails. “help scroll” says what the figures are.
      """,
    parameters: [
      Parameter(
        "name", .word(Figure.allCases.map(\.rawValue)), isRequired: true, summary: "which"),
      Parameter(
        "of", .word(Drawing.allCases.map(\.rawValue)), default: .string("async"),
        summary: "of which way"),
      Parameter(
        "per", .word(Drawing.allCases.map(\.rawValue)), summary: "the way it is held against"),
    ], steps: .none,
    examples: [
      "serial { scroll(100, 300ms); scroll.figure(name: stall) }",
      """
      serial { scroll(100, 300ms, drawing: sync); scroll(100, 300ms); scroll.figure(name: stall, per: sync) }
      """,
    ])

  private let figure: Figure
  private let drawing: Drawing
  private let other: Drawing?

  init(_ arguments: Arguments) throws {
    figure = Figure(rawValue: try arguments.string("name")) ?? .stall
    drawing = Drawing(rawValue: try arguments.string("of")) ?? .async
    other = try arguments["per"].map { _ in try arguments.string("per") }
      .flatMap(Drawing.init(rawValue:))
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    completion(Result { try value(on: scope.runtime.clockKind) })
  }

  private func value(on clock: ClockKind) throws -> Value {
    let value = try report(of: drawing, on: clock)[figure]
    guard let other else { return value }
    guard figure != .costs else {
      throw StepFailure("“costs” are several, of which there is no ratio: card, text or setup")
    }
    let divisor = try report(of: other, on: clock)[figure]
    guard divisor.magnitude > 0 else {
      if value.magnitude == 0 { return .real(1) }
      throw StepFailure(
        "“\(figure.rawValue)” of “\(other.rawValue)” is 0, and that of “\(drawing.rawValue)” is \(value): there "
          + "is no ratio")
    }
    return .real(value.magnitude / divisor.magnitude)
  }

  private func report(of drawing: Drawing, on clock: ClockKind) throws -> ScrollReport {
    if let report = LastFlings.report(of: drawing, on: clock) { return report }
    throw StepFailure(
      "nothing has been flung on the \(clock.rawValue) clock in this way: first “scroll(drawing: "
        + "\(drawing.rawValue))”")
  }
}

extension Value {
  /// A number, or a duration in nanoseconds.
  fileprivate var magnitude: Double {
    switch self {
    case .integer(let integer): Double(integer)
    case .duration(let duration): duration / .nanoseconds(1)
    default: 0
    }
  }
}
