import PatternTesting
import Testing

@testable import AsyncRender

/// The threads that draw layers. A thread keeps its state for drawing text, so threads should be reused.
@Suite(.timeLimit(.minutes(1))) struct DrawingThreadTests {
  static let lanes: [Renderer.Lanes] = [.queues(count: 2), .workers(count: 2)]

  @Test(arguments: lanes)
  func `the same threads draw, however long they have been idle`(
    _ lanes: Renderer.Lanes
  ) async throws {
    // A thread that may end does so as soon as it has no work.
    let runtime = LiveRuntime(workers: 2, keeping: 2, patience: .zero)
    let renderer = Renderer(lanes: lanes, runtime: runtime)
    let threads = Locked<[ThreadMark]>([])
    let layers = (0..<4).map { _ in
      RenderLayer(size: Size(width: 8, height: 8), renderer: renderer) { _ in
        DisplayTask { _, _, _ in
          let mark = ThreadMark.current
          threads.withLock { if !$0.contains(where: { $0 === mark }) { $0.append(mark) } }
        }
      }
    }
    for _ in 0..<50 {
      for layer in layers { layer.setNeedsDisplay() }
      for layer in layers { _ = try await layer.displayed() }
    }
    #expect(renderer.metrics.drawn == 200)
    #expect((1...2).contains(threads.withLock { $0.count }))
  }

  @Test(arguments: [Renderer.Lanes.queues(count: 1), .workers(count: 1)])
  func `a lane with much to draw stays on its thread, although other threads are idle`(
    _ lanes: Renderer.Lanes
  ) async throws {
    let runtime = LiveRuntime(workers: 4)
    let renderer = Renderer(lanes: lanes, runtime: runtime)
    let gate = runtime.semaphore(0)
    let threads = Locked<[ThreadMark]>([])
    let layers = (0..<50).map { number in
      RenderLayer(size: Size(width: 8, height: 8), renderer: renderer) { _ in
        DisplayTask { _, _, _ in
          // Blocks until all other layers are queued.
          if number == 0 { gate.wait() }
          let mark = ThreadMark.current
          threads.withLock { if !$0.contains(where: { $0 === mark }) { $0.append(mark) } }
        }
      }
    }
    for layer in layers { layer.setNeedsDisplay() }
    let last = RenderLayer(size: Size(width: 8, height: 8), renderer: renderer) { _ in
      DisplayTask(display: nil, willDisplay: { _ in gate.signal() })
    }
    last.setNeedsDisplay()
    for layer in layers { _ = try await layer.displayed() }
    #expect(renderer.metrics.drawn == 50)
    #expect(threads.withLock { $0.count } == 1)
    withExtendedLifetime(last) {}
  }
}
