import AsyncPatterns
import SwiftTasks

/// Asynchronous Swift code that is not aware of the simulation.
final class BodySubject: Subject {
  private let body: @Sendable () async throws -> Void
  private let seed: TaskSeed

  /// - Parameter seed: starts the task of the body.
  init(_ body: @escaping @Sendable () async throws -> Void, from seed: TaskSeed) {
    self.body = body
    self.seed = seed
  }

  func start(
    on runtime: SimulatedRuntime, disturbedBy disturber: Disturber
  ) -> any StartedSubject {
    StartedBody(body, from: seed, on: runtime, disturber)
  }
}

final class StartedBody: StartedSubject {
  private let outcome: BodyOutcome
  private var task: Task<Void, Never>?
  private let runtime: SimulatedRuntime

  init(
    _ body: @escaping @Sendable () async throws -> Void, from seed: TaskSeed,
    on runtime: SimulatedRuntime, _ disturber: Disturber
  ) {
    let outcome = BodyOutcome()
    self.outcome = outcome
    self.runtime = runtime
    // The task is started on a thread of the simulation. So it belongs to the simulation, with all tasks that it
    // starts. It has the task-local values of the code that explores.
    runtime.loop.holding {
      runtime.loop.unwatched {
        seed.start {
          task = Task(name: "body") {
            do {
              try await body()
              outcome.state = .returned
            } catch {
              outcome.state = .threw("\(error)")
            }
          }
        }
      }
    }
    if disturber.cancels { disturber.onCancel { [task] in task?.cancel() } }
  }

  var isUnfinished: Bool { outcome.state == .unfinished }
  var isAwaited: (@Sendable () -> Bool)? { { [outcome] in outcome.state == .unfinished } }

  func stop() { runtime.loop.holding { task?.cancel() } }

  func finding(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Finding? {
    if let obstacle = RuntimeSupport.current.obstacle {
      return Finding(
        "can be simulated",
        "The body ran outside the simulation. \(obstacle) Explore a step or a scenario instead.")
    }
    return switch outcome.state {
    case .returned: nil
    case .threw(let error): Finding("throws no error", error)
    case .unfinished: runtime.loop.stall(ending)
    }
  }
}

extension EventLoop {
  /// The finding that says why Swift tasks have not ended, after nothing is left to do.
  func stall(_ ending: SimulatedRuntime.Ending) -> Finding {
    let report = summary(withSchedule: false)
    let finding = report.unfinished(ending)
    let sentences =
      ending == .limit || report.taskSentences.isEmpty
      ? [] : report.taskSentences + report.waiters.map { "\($0.description)." }
    return sentences.isEmpty
      ? finding : Finding(finding.property, sentences.joined(separator: "\n"))
  }
}

/// How the body has ended, if it has.
private final class BodyOutcome: @unchecked Sendable {
  // Safe to share: it is touched only by the holder of the simulation's baton, and between runs.
  enum State: Equatable {
    case unfinished, returned
    case threw(String)
  }

  var state = State.unfinished
}
