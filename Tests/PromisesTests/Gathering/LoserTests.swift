import AsyncSimulation
import Promises
import Testing

/// What happens to promises whose result is no longer needed.
@Suite struct LoserTests {
  typealias Source = Promise<Int, any Error>
  typealias Gather = @Sendable ([Source]) -> Promise<String, any Error>

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The outcome of the first promise, which decides the result.
    let deciding: Result<Int, any Error>
    let gather: Gather
  }

  private static let rows = [
    Row(testDescription: "all", deciding: .failure(StepFailure("no"))) {
      Promise.all($0).map { "\($0)" }
    },
    Row(testDescription: "any", deciding: .success(1)) {
      Promise.any($0).mapError { $0 as any Error }.map { "\($0)" }
    },
    Row(testDescription: "race", deciding: .success(1)) { Promise.race($0).map { "\($0)" } },
    Row(testDescription: "all, two together", deciding: .failure(StepFailure("no"))) { promises in
      Promise.all(promises, width: 2, on: .inline, whenUnused: .cancel).map { "\($0)" }
    },
  ]

  @Test(arguments: rows, [UnusedPolicy.cancel, .keep])
  func `a loser is cancelled if it asked for that`(_ row: Row, _ whenUnused: UnusedPolicy) {
    let pairs = (0..<12).map { _ in Source.withResolvers(on: .inline, whenUnused: whenUnused) }
    let gathered = row.gather(pairs.map(\.promise))
    #expect(gathered.current == nil)
    pairs[0].resolver.resolve(row.deciding)
    #expect(gathered.current != nil)
    // With a limit, nothing has listened to the third promise.
    let isLimited = row.testDescription.hasPrefix("all,")
    #expect(pairs[1].promise.isCancelled == (whenUnused == .cancel))
    #expect(pairs[2].promise.isCancelled == (whenUnused == .cancel && !isLimited))
  }

  @Test(arguments: rows)
  func `losers are cancelled with the gathering promise`(_ row: Row) {
    let pairs = (0..<12).map { _ in Source.withResolvers(on: .inline, whenUnused: .cancel) }
    #expect(row.gather(pairs.map(\.promise)).cancel())
    #expect(pairs[0].promise.isCancelled)
    #expect(pairs[1].promise.isCancelled)
  }

  @Test(arguments: rows)
  func `another handler keeps a loser`(_ row: Row) {
    let pairs = (0..<3).map { _ in Source.withResolvers(on: .inline, whenUnused: .cancel) }
    let other = pairs[1].promise.map { $0 + 1 }
    let gathered = row.gather(pairs.map(\.promise))
    pairs[0].resolver.resolve(row.deciding)
    #expect(gathered.current != nil)
    #expect(!pairs[1].promise.isCancelled)
    other.cancel()
    #expect(pairs[1].promise.isCancelled)
  }

  @Test(arguments: rows)
  func `under every schedule one decides and the others are cancelled`(_ row: Row) {
    let report = Exploration(schedules: 200, workers: 3).explore { runtime in
      let pairs = (0..<3).map { _ in
        Source.withResolvers(on: .inline, runtime: runtime, whenUnused: .cancel)
      }
      let notified = Locked(0)
      let gathered = Locked<Promise<String, any Error>?>(nil)
      for pair in pairs {
        runtime.pool.schedule { pair.resolver.tryResolve(row.deciding) }
      }
      runtime.main.schedule {
        let promise = row.gather(pairs.map(\.promise))
        promise.whenComplete(on: .inline) { _ in notified.withLock { $0 += 1 } }
        gathered.withLock { $0 = promise }
      }
      return {
        guard notified.withLock({ $0 }) == 1 else {
          return "it was notified \(notified.withLock { $0 }) times"
        }
        let isOpen = pairs.contains { $0.promise.current == nil }
        return isOpen ? "one is neither settled nor cancelled" : nil
      }
    }
    #expect(report.violation == nil, "\(report)")
  }
}
