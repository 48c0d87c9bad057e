import AsyncPatterns
import Synchronization

/// Waits for the reports that follow the end of a run. A misuse may be found when an object is released. It is reported
/// from the pool, since the code that releases the object may hold a lock. So a run that has settled may still produce
/// a report about objects that its last steps released.
final class LastReports: Sendable {
  /// The longest wait: for reports, or for a main lane or a pool whose workers are all held.
  private static let patience = Duration.milliseconds(50)

  private let body: @Sendable () -> Void
  private let isFinished = Atomic(false)

  private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  private func end() {
    if !isFinished.exchange(true, ordering: .acquiringAndReleasing) { body() }
  }

  /// Calls `body` once: when the code on the stack has returned and its reports have been delivered, or after the
  /// longest wait.
  static func wait(on runtime: LiveRuntime, _ body: @escaping @Sendable () -> Void) {
    let wait = LastReports(body)
    let alarm = Alarms.schedule(after: patience) { wait.end() }
    LaneContext.current.perform {
      // Waits first on the main lane, where a render layer reports one job later that its failure had no handler. Then
      // waits on the pool, since objects that closures hold are released after the closures have returned.
      runtime.main.schedule {
        runtime.pool.schedule { wait.look(on: runtime.pool) { alarm.cancel() } }
      }
    }
  }

  private func look(on pool: any Scheduler, then finish: @escaping @Sendable () -> Void) {
    if LateReport.areUnderWay, !isFinished.load(ordering: .relaxed) {
      pool.schedule { self.look(on: pool, then: finish) }
    } else {
      finish()
      end()
    }
  }
}
