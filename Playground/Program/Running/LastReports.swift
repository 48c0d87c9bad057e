import AsyncPatterns
import Synchronization

/// What is wrong with something that goes is reported from the pool, since somebody's lock may be held where its
/// last reference goes. So a run that has settled may have a report yet to come, of what its last steps let go
/// of.
final class LastReports: Sendable {
  /// How long to wait for reports, or for a main lane or a pool all of whose workers are held.
  private static let patience = Duration.milliseconds(50)

  private let body: @Sendable () -> Void
  private let isOver = Atomic(false)

  private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  private func end() {
    if !isOver.exchange(true, ordering: .acquiringAndReleasing) { body() }
  }

  /// Calls `body` once, when the code on the stack has returned and what it had reported by then has been.
  static func wait(on runtime: LiveRuntime, _ body: @escaping @Sendable () -> Void) {
    let wait = LastReports(body)
    let alarm = Alarms.schedule(after: patience) { wait.end() }
    LaneContext.current.perform {
      // Once on the main lane, where a layer says one job later that nobody has heard of its failure; and once on the
      // pool, since what closures hold goes after they have returned.
      runtime.main.schedule {
        runtime.pool.schedule { wait.look(on: runtime.pool) { alarm.cancel() } }
      }
    }
  }

  private func look(on pool: any Scheduler, then finish: @escaping @Sendable () -> Void) {
    if LateReport.areUnderWay, !isOver.load(ordering: .relaxed) {
      pool.schedule { self.look(on: pool, then: finish) }
    } else {
      finish()
      end()
    }
  }
}
