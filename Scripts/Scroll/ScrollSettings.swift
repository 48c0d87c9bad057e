import AsyncPatterns
import AsyncRender
import RunLoopTransaction

/// The settings of a fling.
struct ScrollSettings: Sendable {
  /// Where rows are drawn, and with which layers.
  enum Drawing: String, Sendable, CaseIterable { case async, sync, yy }

  /// The value of the pattern.
  enum Yield: Sendable, Hashable {
    /// All figures, each with its name.
    case report
    case figure(ScrollReport.Figure)
    /// The final screen.
    case picture

    init(_ word: String) {
      self =
        ScrollReport.Figure(rawValue: word).map { .figure($0) }
        ?? (word == "picture" ? .picture : .report)
    }

    static let words = ["report"] + ScrollReport.Figure.allCases.map(\.rawValue) + ["picture"]
  }

  var rows: Int
  var duration: Duration
  var drawing: Drawing
  var height: Double
  var decay: Double
  var lanes: Int
  /// The costs on a virtual clock, unless `usesMeasuredCosts`.
  var costs: ScrollCosts
  var usesMeasuredCosts: Bool
  var textOpacity: Double
  var yields: Yield

  init(_ arguments: Arguments) throws {
    rows = try arguments.integer("rows")
    duration = try arguments.duration("duration")
    drawing = Drawing(rawValue: try arguments.string("drawing")) ?? .async
    height = Double(try arguments.integer("height"))
    decay = try arguments.real("decay")
    lanes = try arguments.integer("lanes")
    costs = ScrollCosts(
      drawing: RowDisplays.Costs(
        card: try arguments.duration("card-cost"), text: try arguments.duration("text-cost")),
      setup: try arguments.duration("setup-cost"))
    usesMeasuredCosts = try arguments.string("costs") == "measured"
    textOpacity = try arguments.real("text-opacity")
    yields = Yield(try arguments.string("yields"))
    guard duration <= .seconds(60) else {
      throw ArgumentError(
        "“duration” takes up to a minute, not \(Value.duration(duration))", parameter: "duration")
    }
    guard decay >= 0, decay <= 100 else {
      throw ArgumentError("“decay” takes a number from 0 to 100, not \(decay)", parameter: "decay")
    }
    guard textOpacity >= 0, textOpacity <= 1 else {
      throw ArgumentError(
        "“text-opacity” takes a number from 0 to 1, not \(textOpacity)", parameter: "text-opacity")
    }
  }

  static let parameters = [
    Parameter(
      "rows", .integer(1...100_000), default: .integer(1_000), summary: "the number of rows"),
    Parameter(
      "duration", .duration, default: .duration(.seconds(1)),
      summary: "how long the fling takes, to the last row"),
    Parameter(
      "drawing", .word(Drawing.allCases.map(\.rawValue)), default: .string("async"),
      summary: "off the main thread, on it, or as in YYAsyncLayer"),
    Parameter(
      "height", .integer(60...10_000), default: .integer(1_366),
      summary: "the height of the viewport, in units; a row has 60"),
    Parameter(
      "decay", .real, default: .real(1),
      summary: "how quickly it slows down: the speed is divided by e this many times a second"),
    Parameter(
      "lanes", .integer(1...16), default: .integer(2),
      summary: "how many rows are drawn in parallel"),
    Parameter(
      "costs", .word(["given", "measured"]), default: .string("given"),
      summary:
        "the costs on the virtual clock: those of the next three parameters, or those that the last "
        + "asynchronous fling on the live clock measured"),
    Parameter(
      "card-cost", .duration, default: .duration(.microseconds(840)),
      summary: "how long the card of a row takes to draw"),
    Parameter(
      "text-cost", .duration, default: .duration(.microseconds(420)),
      summary: "how long the text of a row takes to draw"),
    Parameter(
      "setup-cost", .duration, default: .duration(.microseconds(30)),
      summary: "how long the main thread takes for a row that comes into view"),
    Parameter(
      "text-opacity", .real, default: .real(0.75),
      summary: "the opacity of the text on the card, from 0 to 1"),
    Parameter(
      "yields", .word(Yield.words), default: .string("report"),
      summary: "the value: all figures, one of them, or a picture of the final screen"),
  ]
}

extension ScrollSettings {
  /// The costs on `clock`. The live clock ignores them.
  ///
  /// - Throws: if no costs were measured.
  func costs(on clock: ClockKind) throws -> ScrollCosts {
    usesMeasuredCosts && clock == .virtual ? try .measured() : costs
  }

  /// The layers of the rows.
  func layers(_ displays: RowDisplays, _ transactions: TransactionQueue) -> any RowLayers {
    switch drawing {
    case .yy: YYQueues(lanes, displays: displays, transactions: transactions)
    case .async, .sync:
      RenderedRows(
        renderer: Renderer(lanes: .workers(count: lanes), runtime: displays.runtime),
        isAsynchronous: drawing == .async, displays: displays, transactions: transactions)
    }
  }
}
