import AsyncPatterns
import SwiftTasks

/// Starts tasks that have the task-local values of the task in which it was made, on any thread.
///
/// It is a task itself, which runs where ``start(_:)`` is called and nowhere else: what it starts inherits from it.
final class TaskSeed: JobReceiver, @unchecked Sendable {
  // Safe to share: one thread at a time uses it, and they hand it on through locks.
  private let simulation = TaskSimulation()
  /// What it does when it runs: it starts a task; nil for its end.
  private var work: (() -> Void)?
  private var continuation: UnsafeContinuation<Void, Never>?
  /// Its next part, once it is ready.
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

  /// Calls `body` as a part of the seed: a task that it starts belongs to the simulation of the calling thread.
  func start(_ body: () -> Void) {
    guard RuntimeSupport.current.obstacle == nil else { return body() }
    withoutActuallyEscaping(body) { body in
      work = body
      resume()
      work = nil
    }
  }

  /// It starts nothing more.
  func finish() { resume() }

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
