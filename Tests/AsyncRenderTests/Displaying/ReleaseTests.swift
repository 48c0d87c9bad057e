import Testing

@testable import AsyncRender

/// A display releases its captures when it ends.
@Suite struct ReleaseTests {
  private final class Witness: Sendable {}

  private struct Weakly: Sendable {
    weak var witness: Witness?
  }

  @Test(arguments: [true, false])
  func `a handler that asks whether it is cancelled is released with its drawing`(
    asynchronously: Bool
  ) {
    let studio = Studio()
    let held = Locked(Weakly())
    let layer = RenderLayer(
      size: Size(width: 4, height: 4), displaysAsynchronously: asynchronously,
      renderer: studio.renderer
    ) { _ in
      DisplayTask { _, _, isCancelled in
        let witness = Witness()
        held.withLock { $0.witness = witness }
        isCancelled.onCancel { withExtendedLifetime(witness) { _ = isCancelled() } }
      }
    }
    layer.setNeedsDisplay()
    studio.run()
    #expect(layer.contents != nil)
    #expect(held.withLock { $0.witness } == nil)
  }
}
