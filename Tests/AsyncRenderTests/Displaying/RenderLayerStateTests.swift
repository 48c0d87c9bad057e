import Testing

@testable import AsyncRender

/// Compares the state machine with a model under random calls in any order.
@Suite struct RenderLayerStateTests {
  @Test(arguments: 1...60) func `the state machine matches the model`(_ seed: UInt64) throws {
    var trial = try StateTrial(seed: seed)
    for _ in 0..<400 { try trial.step() }
    try trial.finish()
  }
}
