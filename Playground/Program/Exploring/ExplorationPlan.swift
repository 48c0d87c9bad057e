import AsyncPatterns
import AsyncSimulation
import Composing

/// An exploration that is ready to start: what to run, with which settings and which check.
struct ExplorationPlan: Sendable {
  let composed: Composed
  let settings: Settings
  let exploration: Exploration
  let check: TrialCheck

  /// The plan of one run under a given schedule.
  func run(under schedule: Schedule) -> RunPlan {
    RunPlan(composed: composed, settings: settings, schedule: schedule)
  }
}

extension Exploration {
  /// The limit of events for a run of `step`: enough for every step of a large composition to finish several times.
  static func eventLimit(for step: Step) -> Int { max(100_000, step.count.multiplied(by: 32)) }
}

extension Step {
  /// The number of steps in this composition, including itself.
  ///
  /// - Complexity: O(n) in the number of composed steps. If the copies made by a count share steps, the shared steps
  ///   are visited once.
  fileprivate var count: Int {
    var known: [UnsafeRawPointer: Int] = [:]
    return count(&known)
  }

  private func count(_ known: inout [UnsafeRawPointer: Int]) -> Int {
    guard let place = steps.withUnsafeBytes({ $0.baseAddress }) else { return 1 }
    if let count = known[place] { return count }
    let count = steps.reduce(1) { $0.added($1.count(&known)) }
    known[place] = count
    return count
  }
}

extension Int {
  fileprivate func added(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }

  fileprivate func multiplied(by factor: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    return overflows ? .max : product
  }
}
