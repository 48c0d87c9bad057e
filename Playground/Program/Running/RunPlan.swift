import AsyncPatterns
import Composing

/// Something to run, and what to go by.
struct RunPlan: Sendable {
  let composed: Composed
  let settings: Settings

  var name: String { composed.name }
}
