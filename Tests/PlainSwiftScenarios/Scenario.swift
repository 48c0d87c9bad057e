import AsyncSimulation

/// A small program of plain Swift, and the outcomes that it may have.
///
/// It knows nothing of the simulation. Tests run it under many schedules, and often under the same one.
public struct Scenario: Sendable, CustomStringConvertible {
  public let description: String
  /// Every outcome that some schedule has, and no other; nil if there are too many to name.
  public let outcomes: Set<String>?
  private let program: @Sendable () async throws -> String

  /// - Parameter program: called anew for each schedule. It returns its outcome. It throws if something does not hold
  ///   that must hold under every schedule.
  init(
    _ description: String, outcomes: Set<String>?,
    _ program: @escaping @Sendable () async throws -> String
  ) {
    self.description = description
    self.outcomes = outcomes
    self.program = program
  }

  /// A program that has one outcome, whatever the schedule.
  init(_ description: String, _ program: @escaping @Sendable () async throws -> Void) {
    self.init(description, outcomes: [""]) {
      try await program()
      return ""
    }
  }

  /// Runs the program.
  ///
  /// - Returns: its outcome.
  /// - Throws: an error that says what does not hold, or that the outcome is none of ``outcomes``.
  public func run() async throws -> String {
    let outcome = try await program()
    if let outcomes { try check(outcomes.contains(outcome), "the outcome is “\(outcome)”") }
    return outcome
  }

  /// The scenarios that use nothing beyond Swift's tasks: the same seed gives the same run.
  public static let all =
    taskLocals + cancellation + taskGroups + asyncLets + streams + continuations + immediateTasks
    + deinits + executors + isolation + clocks + priorities + actors + sequences + randomNumbers
    + sets
}

/// What happened, in order.
final class Journal: Sendable {
  private let lines = Locked<[String]>([])

  var entries: [String] { lines.withLock { $0 } }
  var text: String { entries.joined(separator: " ") }
  func note(_ entry: String) { lines.withLock { $0.append(entry) } }
}

/// An error for programs to throw.
struct Failure: Error, Equatable {
  var name: String
}
