import AsyncPatterns
import AsyncRender

/// `scroll.figure`: a figure of the last fling, or its ratio to that of another way of drawing.
struct FigurePattern: AsyncPattern {
  typealias Figure = ScrollReport.Figure
  typealias Drawing = ScrollSettings.Drawing

  static let manual = Manual(
    name: "scroll.figure",
    summary: "A figure of the last fling in one way of drawing, or its ratio to that of another.",
    discussion: """
      A figure of the last fling on the current clock, so that all figures of one fling can be \
      read. With per it is a ratio: 0.5 means half as much as in the other way. The ratio of 0 to \
      0 is 1. The ratio of a positive figure to 0 does not exist, and the pattern fails. “help \
      scroll” explains the figures.
      """,
    parameters: [
      Parameter(
        "name", .word(Figure.allCases.map(\.rawValue)), isRequired: true,
        summary: "the name of the figure"),
      Parameter(
        "of", .word(Drawing.allCases.map(\.rawValue)), default: .string("async"),
        summary: "the way of drawing"),
      Parameter(
        "per", .word(Drawing.allCases.map(\.rawValue)), summary: "the way to compare with"),
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
      throw StepFailure("“costs” has several values and so no ratio; use card, text or setup")
    }
    let divisor = try report(of: other, on: clock)[figure]
    guard divisor.magnitude > 0 else {
      if value.magnitude == 0 { return .real(1) }
      throw StepFailure(
        "“\(figure.rawValue)” has no ratio: it is 0 for “\(other.rawValue)”, and \(value) for "
          + "“\(drawing.rawValue)”; leave out “per”")
    }
    return .real(value.magnitude / divisor.magnitude)
  }

  private func report(of drawing: Drawing, on clock: ClockKind) throws -> ScrollReport {
    if let report = LastFlings.report(of: drawing, on: clock) { return report }
    throw StepFailure(
      "no fling with “drawing: \(drawing.rawValue)” on the \(clock.rawValue) clock yet; first run "
        + "“scroll(drawing: \(drawing.rawValue))”")
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
