import AsyncRender

/// What came of a fling.
struct ScrollReport: Sendable {
  let frames: Int
  let missed: Int
  let stall: Duration
  /// What the main thread spent of each frame.
  let shares: [Duration]
  let counts: Tally.Counts

  init(_ screen: Screen) {
    frames = screen.clock.frameCount
    missed = screen.clock.missed
    stall = screen.tally.main.longestStall
    shares = screen.tally.main.shares(of: frames, since: screen.clock.start)
    counts = screen.tally.counts
  }

  /// What 99 of 100 frames do not exceed.
  var share: Duration { shares.percentile(0.99) }

  /// What half of all rows took to draw, at most.
  var cost: Duration { counts.costs.percentile(0.5) }

  /// What the main thread took for a row that came, on average.
  var setup: Duration { counts.rows > 0 ? shares.reduce(.zero, +) / counts.rows : .zero }

  /// Each figure with its name.
  var value: Value {
    .list([
      named("frames", .integer(frames)), named("missed", .integer(missed)),
      named("stall", .duration(stall)), named("share", .duration(share)),
      named("rows", .integer(counts.rows)), named("late", .integer(counts.late)),
      named("unseen", .integer(counts.unseen)), named("drawings", .integer(counts.drawings)),
      named("wasted", .integer(counts.wasted)),
    ])
  }

  private func named(_ name: String, _ value: Value) -> Value { .list([.string(name), value]) }

  func value(_ yields: ScrollSettings.Yield) -> Value {
    switch yields {
    case .report, .picture: value
    case .missed: .integer(missed)
    case .stall: .duration(stall)
    case .share: .duration(share)
    case .late: .integer(counts.late)
    case .wasted: .integer(counts.wasted)
    case .cost: .duration(cost)
    case .setup: .duration(setup)
    }
  }
}
