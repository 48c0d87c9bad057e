import AsyncSimulation
import Promises

/// The reports about promises on a virtual clock.
struct Reports {
  let recording = Recording()
  let runtime: SimulatedRuntime

  init() { runtime = SimulatedRuntime(trace: recording) }

  typealias Page = Promise<Int, any Error>

  func pending(
    _ placement: Placement = .inline, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Page, resolver: Page.Resolver) {
    Page.withResolvers(
      on: placement, runtime: runtime, whenUnused: whenUnused, file: file, line: line)
  }

  func failed(
    _ reason: String = "no page", file: StaticString = #fileID, line: UInt = #line
  ) -> Page {
    .rejected(StepFailure(reason), on: .inline, runtime: runtime, file: file, line: line)
  }

  /// A promise that fails after `delay`.
  func failing(after delay: Duration, _ reason: String = "no page") -> Page {
    let (promise, resolver) = pending()
    runtime.pool.schedule(after: delay) { resolver.reject(StepFailure(reason)) }
    return promise
  }

  /// The reports of unhandled failures when no work is left.
  var unhandled: [String] {
    runtime.runUntilIdle()
    return recording.events.filter { $0.kind == .misuse && $0.name == "unhandled-failure" }
      .map(\.detail)
  }
}
