import SerialAnimation
import Testing

/// Tests the animator on the real clock and real threads.
@Suite struct LayerAnimatorLiveTests {
  @Test func `an animation ends with its final value and not too early`() async {
    let (animator, layer) = (LayerAnimator(), Layer())
    let start = animator.runtime.now
    let finished = await withCheckedContinuation { continuation in
      animator.animate(withDuration: .ms(20)) {
        layer.opacity = 0
      } completion: {
        continuation.resume(returning: $0)
      }
    }
    #expect(finished)
    #expect(layer.presentation.opacity == 0 && !layer.isAnimated)
    #expect(start.duration(to: animator.runtime.now) >= .ms(20))
  }

  @Test @MainActor func `on the main actor, the changes are made before the call returns`() {
    let (animator, layer) = (LayerAnimator(), Layer())
    animator.animate(withDuration: .ms(1)) { layer.opacity = 0 }
    #expect(layer.opacity == 0)
  }

  @Test func `with changes from many threads each completion is called once`() async {
    let (animator, layer) = (LayerAnimator(hertz: 1000), Layer())
    let drawing = animator.onFrame { _ in _ = layer.presentation.opacity }
    let completions = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          await withCheckedContinuation { continuation in
            animator.animate(withDuration: .microseconds(number * 10)) {
              layer.opacity = Double(number)
              if number.isMultiple(of: 3) { layer.scale = 2 }
            } completion: { _ in
              completions.withLock { $0 += 1 }
              continuation.resume()
            }
            if number.isMultiple(of: 5) { layer.opacity = 0.5 }
            if number.isMultiple(of: 7) { layer.removeAllAnimations() }
            _ = layer.presentation.scale
          }
        }
      }
    }
    #expect(completions.withLock { $0 } == 200)
    #expect(!layer.isAnimated)
    drawing.cancel()
  }

  @Test func `a queue of animations runs in order`() async throws {
    let (queue, layer, log) = (SerialAnimationQueue(), Layer(), Log())
    for name in ["a", "b", "c"] {
      queue.animate(withDuration: .ms(2)) {
        log.append("\(name) begins")
        layer.opacity = 1 - layer.opacity
      } completion: { finished in
        log.append("\(name) ends \(finished)")
      }
    }
    try await queue.queue.drain()
    #expect(
      log.entries == [
        "a begins", "a ends true", "b begins", "b ends true", "c begins", "c ends true",
      ])
  }
}
