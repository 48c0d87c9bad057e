import AsyncPatterns
import AsyncRender

/// The costs on a virtual clock.
struct ScrollCosts: Sendable {
  var drawing: RowDisplays.Costs
  /// The time of the main thread for a row that comes into view.
  var setup: Duration
}

extension ScrollCosts {
  /// The costs that the last asynchronous fling on the live clock measured.
  ///
  /// - Throws: if there was none.
  static func measured() throws -> ScrollCosts {
    guard let report = LastFlings.report(of: .async, on: .live) else {
      throw StepFailure(
        "there are no measured costs: they come from the last “scroll(drawing: async)” on the live clock, and there "
          + "was none; first run it after “set clock live”")
    }
    return ScrollCosts(
      drawing: RowDisplays.Costs(card: report.cost(of: .card), text: report.cost(of: .text)),
      setup: report.setup)
  }
}
