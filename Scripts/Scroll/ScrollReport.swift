import AsyncPatterns
import AsyncRender

/// The result of a fling.
struct ScrollReport: Sendable {
  /// The figures, by name.
  enum Figure: String, Sendable, CaseIterable {
    case frames, missed, stall, share, rows, late, unseen, drawings, wasted
    /// The costs measured for the virtual clock, and all of them together.
    case card, text, setup, costs
  }

  let frames: Int
  let missed: Int
  let stall: Duration
  /// The processor time of the main thread in each frame.
  let shares: [Duration]
  let counts: Tally.Counts
  let drawings: DrawingCounts

  init(_ screen: Screen) {
    frames = screen.clock.frameCount
    missed = screen.clock.missed
    stall = screen.tally.main.longestStall
    shares = screen.tally.main.shares(of: frames, since: screen.clock.start)
    counts = screen.tally.counts
    drawings = screen.layers.drawings
  }

  /// The median time to draw a card or a text.
  func cost(of kind: Tally.Kind) -> Duration { (counts.costs[kind] ?? []).percentile(0.5) }

  /// The average time of the main thread for a row that came into view.
  var setup: Duration { counts.rows > 0 ? shares.reduce(.zero, +) / counts.rows : .zero }

  /// Each figure with its name, except the costs.
  var value: Value {
    list(Array(Figure.allCases.prefix { $0 != .card }))
  }

  private func list(_ figures: [Figure]) -> Value {
    .list(figures.map { .list([.string($0.rawValue), self[$0]]) })
  }

  subscript(figure: Figure) -> Value {
    switch figure {
    case .frames: .integer(frames)
    case .missed: .integer(missed)
    case .stall: .duration(stall)
    // 99 of 100 frames do not exceed it.
    case .share: .duration(shares.percentile(0.99))
    case .rows: .integer(counts.rows)
    case .late: .integer(counts.late)
    case .unseen: .integer(counts.unseen)
    case .drawings: .integer(drawings.started)
    case .wasted: .integer(drawings.wasted)
    case .card: .duration(cost(of: .card))
    case .text: .duration(cost(of: .text))
    case .setup: .duration(setup)
    case .costs: list([.card, .text, .setup])
    }
  }
}
