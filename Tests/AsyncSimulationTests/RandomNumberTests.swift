import AsyncSimulation
import Foundation
import Testing

/// The system's random numbers, on the threads of a simulation and elsewhere.
@Suite struct RandomNumberTests {
  /// Every way to get random numbers in plain Swift.
  @Sendable private static func draw() -> [String] {
    var generator = SystemRandomNumberGenerator()
    return [
      "\(Int.random(in: 0..<Int.max))", "\(generator.next())", "\(Double.random(in: 0..<1))",
      "\(Array(0..<20).shuffled())", "\((0..<1_000_000).randomElement() ?? 0)", "\(UUID())",
    ]
  }

  private static func drawSimulated(seed: UInt64) async throws -> [String] {
    let runtime = SimulatedRuntime(seed: seed)
    let task = runtime.task {
      async let first = draw()
      async let second = draw()
      return await first + second
    }
    runtime.runUntilIdle()
    return try await task.value
  }

  @Test(arguments: [0, 1, 2])
  func `each simulation has the same numbers`(_ seed: UInt64) async throws {
    let first = try await Self.drawSimulated(seed: seed)
    #expect(try await Self.drawSimulated(seed: seed) == first)
    #expect(Set(first).count == first.count, "numbers repeat within a simulation")
  }

  @Test func `each schedule has the same numbers`() async {
    let drawn = Locked<Set<[String]>>([])
    let report = await Exploration(schedules: 20).explore {
      let numbers = Self.draw()
      drawn.withLock { _ = $0.insert(numbers) }
    }
    #expect(report.violation == nil)
    #expect(drawn.withLock { $0.count } == 1)
  }

  @Test func `code outside of simulations has the system's numbers`() async throws {
    let simulated = try await Self.drawSimulated(seed: 0)
    let (first, second) = (Self.draw(), Self.draw())
    for (one, other) in zip(first, second) { #expect(one != other) }
    #expect(Set(simulated).isDisjoint(with: first))
  }

  @Test func `a thread outside a running simulation has the system's numbers`() async throws {
    let runtime = SimulatedRuntime(patience: .seconds(10))
    let task = runtime.task {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: Self.draw()) }
      }
    }
    runtime.runUntilIdle()
    #expect(Set(try await task.value).isDisjoint(with: try await Self.drawSimulated(seed: 0)))
  }
}
