import AsyncSimulation
import PatternTesting
import Promises
import Testing

/// Random programs of all operators, compared with a model of promises. Under every schedule they have the same
/// outcomes, run each handler equally often, and leave nothing behind.
@Suite struct RandomProgramTests {
  /// The number of programs that a test runs.
  private static let share = 30 * UInt64(SearchLength.factor)

  /// The error type is either any error, which can express a cancellation, or a type that cannot.
  @Test(arguments: 0..<6 as Range<UInt64>, [true, false])
  func `the outcomes of promises match the model`(_ part: UInt64, _ canCancel: Bool) {
    for seed in part * Self.share..<(part + 1) * Self.share {
      check(Program(seed: seed), canCancel, seed)
    }
  }

  @Test(arguments: 0..<2 as Range<UInt64>, [true, false])
  func `programs with many adoptions match the model`(_ part: UInt64, _ canCancel: Bool) {
    for seed in part * Self.share..<(part + 1) * Self.share {
      check(Program(seed: seed, adoptsOften: true), canCancel, seed)
    }
  }

  /// The result depends on the schedule only where two events happen at the same time.
  @Test func `most outcomes of the model hold in any order`() {
    let programs = (0..<100 as Range<UInt64>).map { Program(seed: $0) }
    let known = programs.flatMap { Expectation($0, canCancel: true).outcomes.map { $0 != nil } }
    #expect(known.count { $0 } * 20 > known.count * 19)
  }

  private func check(_ program: Program, _ canCancel: Bool, _ seed: UInt64) {
    if canCancel {
      check(program, canCancel, seed) { $0 as any Error }
    } else {
      check(program, canCancel, seed) { $0 }
    }
  }

  private func check<Failure: Error>(
    _ program: Program, _ canCancel: Bool, _ seed: UInt64,
    wrap: @escaping @Sendable (Fault) -> Failure
  ) {
    let expected = Expectation(program, canCancel: canCancel)
    let strategy: Exploration.Strategy = seed % 2 == 0 ? .random : .pct(depth: 3)
    let report = Exploration(schedules: 6, strategy: strategy, workers: 2, seed: seed).explore {
      runtime in
      let places: [Placement] = [
        .main, .pool, .scheduler(runtime.serial("one")), .inline,
        .scheduler(runtime.serial("two")),
      ]
      let run = ProgramRun(program, runtime, at: places, wrap: wrap)
      for (index, action) in program.actions.enumerated() {
        runtime.main.schedule(after: .milliseconds(index + 1)) { run.perform(action) }
      }
      return {
        let found = run.finish()
        if let difference = expected.difference(found) { return difference }
        return run.held == 0 ? nil : "\(run.held) handlers have not been released"
      }
    }
    #expect(report.violation == nil, "program \(seed)\n\(program)\n\(report)")
  }
}

/// The required result of a program, as far as it does not depend on the order of simultaneous events.
struct Expectation: Sendable {
  let outcomes: [Ending??]
  private let runs: [Int?]
  private let cancellations: [Int?]

  init(_ program: Program, canCancel: Bool) {
    let results = (0..<20 as Range<UInt64>).map {
      ModelRun(program, canCancel: canCancel, seed: $0).run()
    }
    outcomes = Self.agreed(results.map(\.outcomes))
    runs = Self.agreed(results.map(\.runs))
    cancellations = Self.agreed(results.map(\.cancellations))
  }

  private static func agreed<Element: Equatable>(_ rows: [[Element]]) -> [Element?] {
    rows[0].indices.map { index in
      rows.allSatisfy { $0[index] == rows[0][index] } ? .some(rows[0][index]) : nil
    }
  }

  func difference(_ found: ModelRun.Result) -> String? {
    for (index, outcome) in outcomes.enumerated() {
      if let outcome, found.outcomes[index] != outcome {
        return
          "\(index) should be \(Self.text(outcome)), and is \(Self.text(found.outcomes[index]))"
      }
      if let count = runs[index], found.runs[index] != count {
        return "the handler of \(index) should run \(count) times, and runs \(found.runs[index])"
      }
      if let count = cancellations[index], found.cancellations[index] != count {
        return "\(index) should be notified of its cancellation \(count) times, and is "
          + "\(found.cancellations[index])"
      }
    }
    return nil
  }

  private static func text(_ outcome: Ending?) -> String {
    outcome.map { "\($0)" } ?? "unsettled"
  }
}
