import Synchronization

/// A report of what was found wrong where it cannot be told, on its way to a runtime's trace.
public final class LateReport: Sendable {
  /// How many there are, in the whole process: who closes a trace waits for them.
  private static let count = Atomic<Int>(0)

  /// Whether there are any.
  public static var areUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

  private init() { LateReport.count.add(1, ordering: .acquiringAndReleasing) }

  // Also where the runtime runs nothing any more, and lets go of it.
  deinit { LateReport.count.subtract(1, ordering: .acquiringAndReleasing) }

  /// Reports from the pool that something was used wrongly: for a `deinit`, since somebody's lock may be held
  /// where the last reference goes.
  ///
  /// - Parameters:
  ///   - detail: asked there.
  ///   - next: done there, after that.
  public static func misuse(
    _ rule: String, of span: Span, on runtime: any Runtime,
    _ detail: @escaping @Sendable () -> String,
    then next: @escaping @Sendable () -> Void = {}
  ) {
    let report = LateReport()
    runtime.pool.schedule {
      runtime.misuse(rule, detail(), of: span)
      next()
      withExtendedLifetime(report) {}
    }
  }
}
