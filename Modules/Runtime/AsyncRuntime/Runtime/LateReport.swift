import Synchronization

/// A report of misuse on its way to a runtime's trace. It was made where no trace can be written.
public final class LateReport: Sendable {
  /// The number of reports in the whole process. Code that closes a trace waits until there are
  /// none.
  private static let count = Atomic<Int>(0)

  /// Whether there are any reports.
  public static var areUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

  private init() { LateReport.count.add(1, ordering: .acquiringAndReleasing) }

  // Counts down even if the runtime releases the report without running it.
  deinit { LateReport.count.subtract(1, ordering: .acquiringAndReleasing) }

  /// Reports misuse from a job of the pool. Use it in a `deinit`: other code may hold a lock while
  /// it releases the last reference.
  ///
  /// - Parameters:
  ///   - detail: is called on the pool, and returns the text of the report.
  ///   - next: is called on the pool after the report.
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
