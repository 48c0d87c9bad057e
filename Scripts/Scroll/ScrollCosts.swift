import AsyncPatterns
import AsyncRender

/// What everything takes on a virtual clock.
struct ScrollCosts: Sendable {
  var drawing: RowDisplays.Costs
  /// On the main thread, for a row that comes.
  var setup: Duration
}

extension ScrollCosts {
  /// What the last asynchronous fling on the live clock has measured.
  ///
  /// - Throws: if there was none.
  static func measured() throws -> ScrollCosts {
    guard let report = LastFlings.report(of: .async, on: .live) else {
      throw StepFailure(
        "nothing has been measured: costs that are “measured” are those of the last “scroll(drawing: async)” on the "
          + "live clock, and there was none; “set clock live” and fling it there first")
    }
    return ScrollCosts(
      drawing: RowDisplays.Costs(card: report.cost(of: .card), text: report.cost(of: .text)),
      setup: report.setup)
  }
}
