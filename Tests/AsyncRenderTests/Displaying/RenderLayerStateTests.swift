import Testing

@testable import AsyncRender

/// The state machine against a model, under random calls in every order that there can be.
@Suite struct RenderLayerStateTests {
  @Test(arguments: 1...60) func `it does what the model does`(_ seed: UInt64) throws {
    var trial = try StateTrial(seed: seed)
    for _ in 0..<400 { try trial.step() }
    try trial.finish()
  }
}
