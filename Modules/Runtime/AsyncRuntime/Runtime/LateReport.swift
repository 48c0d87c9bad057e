import Synchronization

/// A report of misuse, made where no trace can be written, on its way to a runtime's trace.
public final class LateReport: Sendable {
  /// How many there are in the whole process. The code that closes a trace waits for them.
  private static let count = Atomic<Int>(0)

  /// Whether there are any.
  public static var areUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

  private init() { LateReport.count.add(1, ordering: .acquiringAndReleasing) }

  // Also if the runtime runs nothing any more, and releases it.
  deinit { LateReport.count.subtract(1, ordering: .acquiringAndReleasing) }

  /// Reports misuse from the pool. For a `deinit`: a lock may be held where the last reference is released.
  ///
  /// - Parameters:
  ///   - detail: is called on the pool.
  ///   - next: is called there after the report.
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
