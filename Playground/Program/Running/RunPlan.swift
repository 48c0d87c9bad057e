import AsyncPatterns
import AsyncSimulation
import Composing

/// Something to run, and what to go by.
struct RunPlan: Sendable {
  let composed: Composed
  let settings: Settings
  /// What decides whatever could happen in any order; nil leaves it to the clock.
  var schedule: Schedule?
  /// Whether it only warms caches and threads up, before a comparison: it counts for no sample.
  var isWarmUp = false

  var name: String { composed.name }
}
