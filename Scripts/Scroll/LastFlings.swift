import AsyncPatterns
import AsyncRender

/// The result of the last fling for each way of drawing and each clock, for as long as the program runs.
enum LastFlings {
  private struct Key: Hashable, Sendable {
    let drawing: ScrollSettings.Drawing
    let clock: ClockKind
  }

  private static let reports = Locked<[Key: ScrollReport]>([:])

  static func note(
    _ report: ScrollReport, of drawing: ScrollSettings.Drawing, on clock: ClockKind
  ) {
    reports.withLock { $0[Key(drawing: drawing, clock: clock)] = report }
  }

  /// - Returns: nil if there was none.
  static func report(
    of drawing: ScrollSettings.Drawing, on clock: ClockKind
  ) -> ScrollReport? {
    reports.withLock { $0[Key(drawing: drawing, clock: clock)] }
  }
}
