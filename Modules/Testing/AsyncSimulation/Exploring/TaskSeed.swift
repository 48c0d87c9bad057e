import AsyncPatterns
import SwiftTasks

/// Starts tasks on any thread. They have the task-local values of the task in which the seed was created.
///
/// The seed is itself a task that runs only inside ``start(_:)``. The tasks that it starts inherit from it.
final class TaskSeed: JobReceiver, @unchecked Sendable {
  // Safe to share: only the thread that has locked `turn` uses the rest.
  /// Its value has no meaning. `Void` has no size, and ThreadSanitizer takes the lock beside it for the value.
  private let turn = Locked(false)
  private let simulation = TaskSimulation()
  /// Starts a task when the seed runs next. Nil to end the seed.
  private var work: (() -> Void)?
  private var continuation: UnsafeContinuation<Void, Never>?
  /// Its next job, once that is ready.
  private var job: SwiftJob?

  init() {
    simulation.receiver = self
    guard RuntimeSupport.current.obstacle == nil else { return }
    within(simulation) {
      Task { [self] in
        while let work = await nextWork() { work() }
      }
    }
    runJob()
  }

  private func nextWork() async -> (() -> Void)? {
    await withUnsafeContinuation { continuation = $0 }
    return work
  }

  /// Calls `body` as a part of the seed. A task that `body` starts belongs to the simulation of the calling thread.
  func start(_ body: () -> Void) {
    guard RuntimeSupport.current.obstacle == nil else { return body() }
    withoutActuallyEscaping(body) { body in
      turn.withLock { _ in
        work = body
        resume()
        work = nil
      }
    }
  }

  /// Ends the seed, which then starts nothing more.
  func finish() { turn.withLock { _ in resume() } }

  private func resume() {
    within(simulation) { continuation.take()?.resume() }
    runJob()
  }

  private func runJob() { job.take()?.run() }

  private func within(_ simulation: TaskSimulation, _ body: () -> Void) {
    let outside = simulation.enter()
    body()
    TaskSimulation.leave(to: outside)
  }

  func receive(_ job: SwiftJob) { self.job = job }
  func receive(_ job: SwiftJob, after delay: Int64) {}
  func willRun(_ task: SwiftTask) {}
}
