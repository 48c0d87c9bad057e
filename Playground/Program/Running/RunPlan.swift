import AsyncPatterns
import Composing
import Simulation

/// Something to run, and what to go by.
struct RunPlan: Sendable {
  let composed: Composed
  let settings: Settings
  /// What decides whatever could happen in any order; nil leaves it to the clock.
  var schedule: Schedule?

  var name: String { composed.name }
}
