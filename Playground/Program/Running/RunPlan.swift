import AsyncPatterns
import AsyncSimulation
import Composing

/// A run that is ready to start: what to run, and with which settings.
struct RunPlan: Sendable {
  let composed: Composed
  let settings: Settings
  /// The schedule that decides the order of events. If it is nil, the clock decides.
  var schedule: Schedule?
  /// Whether the run only warms up caches and threads before a comparison. It is not part of any sample.
  var isWarmUp = false

  var name: String { composed.name }
}
