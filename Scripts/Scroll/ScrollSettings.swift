import AsyncRender

/// What a list is flung with.
struct ScrollSettings: Sendable {
  /// Where rows are drawn.
  enum Drawing: String, Sendable, CaseIterable { case async, sync, yy }

  /// What of the report is the pattern's value.
  enum Yield: String, Sendable, CaseIterable {
    case report, missed, stall, share, late, wasted, cost, setup, picture
  }

  var rows: Int
  var duration: Duration
  var drawing: Drawing
  var height: Double
  var decay: Double
  var lanes: Int
  var rowCost: Duration
  var setupCost: Duration
  var yields: Yield

  init(_ arguments: Arguments) throws {
    rows = try arguments.integer("rows")
    duration = try arguments.duration("duration")
    drawing = Drawing(rawValue: try arguments.string("drawing")) ?? .async
    height = Double(try arguments.integer("height"))
    decay = try arguments.real("decay")
    lanes = try arguments.integer("lanes")
    rowCost = try arguments.duration("row-cost")
    setupCost = try arguments.duration("setup-cost")
    yields = Yield(rawValue: try arguments.string("yields")) ?? .report
    guard duration <= .seconds(60) else {
      throw ArgumentError(
        "“duration” takes up to a minute, not \(Value.duration(duration))", parameter: "duration")
    }
    guard decay >= 0, decay <= 100 else {
      throw ArgumentError("“decay” takes a number from 0 to 100, not \(decay)", parameter: "decay")
    }
  }

  static let parameters = [
    Parameter(
      "rows", .integer(1...100_000), default: .integer(1_000), summary: "how many there are"),
    Parameter(
      "duration", .duration, default: .duration(.seconds(1)),
      summary: "how long the fling takes, to the last row"),
    Parameter(
      "drawing", .word(Drawing.allCases.map(\.rawValue)), default: .string("async"),
      summary: "off the main thread, on it, or in YYAsyncLayer's way"),
    Parameter(
      "height", .integer(60...10_000), default: .integer(1_366),
      summary: "of the viewport, in units; a row has 60"),
    Parameter(
      "decay", .real, default: .real(1),
      summary: "by how much it slows down: the speed is divided by e that many times a second"),
    Parameter(
      "lanes", .integer(1...16), default: .integer(2),
      summary: "how many rows are drawn side by side"),
    Parameter(
      "row-cost", .duration, default: .duration(.microseconds(1_250)),
      summary: "how long a row takes to draw, on the virtual clock"),
    Parameter(
      "setup-cost", .duration, default: .duration(.microseconds(22)),
      summary: "how long the main thread takes for a row that comes, on the virtual clock"),
    Parameter(
      "yields", .word(Yield.allCases.map(\.rawValue)), default: .string("report"),
      summary: "what the value is: all figures, or one of them, or the screen in the end"),
  ]
}

extension ScrollSettings.Drawing {
  /// The layers of the rows.
  func layers(_ lanes: Int, on runtime: any Runtime) -> any RowLayers {
    switch self {
    case .yy: YYQueues(lanes, on: runtime)
    case .async, .sync:
      RenderedRows(
        renderer: Renderer(lanes: .workers(count: lanes), runtime: runtime),
        isAsynchronous: self == .async)
    }
  }
}
