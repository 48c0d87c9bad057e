import AsyncPatterns
import AsyncSimulation
import Composing

/// Something to explore, and what to go by.
struct ExplorationPlan: Sendable {
  let composed: Composed
  let settings: Settings
  let exploration: Exploration
  let check: TrialCheck

  /// The run of this under one schedule.
  func run(under schedule: Schedule) -> RunPlan {
    RunPlan(composed: composed, settings: settings, schedule: schedule)
  }
}

extension Exploration {
  /// As many events as let every step of something large finish several times over.
  static func eventLimit(for step: Step) -> Int { max(100_000, step.count.multiplied(by: 32)) }
}

extension Step {
  /// How many steps it is made of, itself among them.
  ///
  /// - Complexity: O(n) in the number of steps that were composed; copies of a count are one.
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
