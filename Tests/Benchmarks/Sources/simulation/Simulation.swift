import ArgumentParser
import Foundation
import Measuring

@main struct SimulationSuite: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulation",
    abstract: "Measures the cost of the virtual clock.",
    discussion: """
      It measures events of a simulation and schedules of an exploration. Schedules run in this process and, with a \
      program, in other processes. It also counts allocations, which are exact numbers.
      """)

  @OptionGroup var arguments: SuiteArguments
  @Option(help: "Run only so many schedules of a graph of ten sleeps, for a profiler.")
  var alone: Int?

  func run() async throws {
    if let alone { return try await onThread { try Schedules.runAlone(alone) } }
    try await arguments.reportAsynchronously { report in
      report.show(try await PlainSwift.measure(program: arguments.program))
      report.show(try Events.measure())
      report.show(try await onThread { try Schedules.measure() })
      report.show(try await onThread { try Schedules.measureMemory() })
      report.show(await PlainSwift.measureMemory())
      report.show(try await onThread { try SimulationAllocations.ofSchedule() })
      report.show(await SimulationAllocations.ofYields())
    }
  }

  /// Runs a function that blocks its thread. It must not block a thread that Swift's tasks need.
  private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
  }
}
