import Foundation
import PatternTesting
import Testing

@testable import AsyncRender

/// 100 000 redraws must leave no memory behind. The test runs in its own process, so that it does not measure other
/// tests. ThreadSanitizer does not check memory, so under it a fifth of the redraws is enough.
@Suite(.timeLimit(.minutes(1))) struct MemoryTests {
  @Test func `a hundred thousand redraws leave no memory behind`() async {
    await #expect(processExitsWith: .success) {
      let redraws = try Redraws()
      let count = isThreadSanitized ? 20_000 : 100_000
      try await redraws.make(atLeast: count / 10)
      let before = usedBytes
      try await redraws.make(atLeast: count - count / 10)
      let grown = usedBytes - before
      try redraws.requireAllKinds(among: count)
      // A leak of 100 bytes for each redraw would be ten million bytes.
      guard grown < 4 << 20 else { throw Redraws.Grown(bytes: grown) }
      // The memory of large pictures is used again.
      let pixels = PixelMemory.shared.bytes
      guard pixels.kept > 0, pixels.used + pixels.kept < 4 << 20 else {
        throw Redraws.NotRecycled(used: pixels.used, kept: pixels.kept)
      }
    }
  }
}

/// Redraws layers and labels in all ways: completely, cancelled while queued and while drawn, on the main lane, and
/// with layers that are released. Some layers are so large that the memory of their pixels is used again.
private final class Redraws: Sendable {
  private let renderer = Renderer(lanes: .workers(count: 2))
  private let layers: [RenderLayer]
  private let labels: [TextLabel]

  struct Grown: Error { let bytes: Int }
  struct NotRecycled: Error { let used: Int, kept: Int }
  struct Missing: Error { let metrics: DisplayMetrics }

  init() throws {
    let (renderer, font) = (renderer, try Font("Sans 8px"))
    layers =
      (0..<40).map { Self.layer($0, renderer) }
      // 64 KiB each.
      + (0..<4).map { Self.layer($0, renderer, width: 128) }
    labels = (0..<4).map {
      TextLabel("\($0)", font: font, size: Size(width: 24, height: 12), renderer: renderer)
    }
    for layer in layers[..<8] { layer.group = layers[0].group ?? DisplayGroup() }
  }

  private static func layer(
    _ number: Int, _ renderer: Renderer, width: Double = 8
  ) -> RenderLayer {
    RenderLayer(
      size: Size(width: width, height: width), displaysAsynchronously: number % 10 != 9,
      policy: number % 10 == 8 ? .finishThenLatest : .cancelLatest, renderer: renderer
    ) { _ in
      DisplayTask { canvas, size, isCancelled in
        isCancelled.onCancel { withExtendedLifetime(size) {} }
        for _ in 0..<3 where !isCancelled() {
          canvas.fill(Path(Rect(origin: .zero, size: size)), with: .color(.black))
        }
      }
    }
  }

  /// Requests displays until `count` more have started, and waits for the last ones.
  func make(atLeast count: Int) async throws {
    let end = renderer.metrics.displays + count
    var round = 0
    while renderer.metrics.displays < end {
      round += 1
      ask(round)
      // One pass later some displays are being drawn and the others are queued.
      await withCheckedContinuation { continuation in
        renderer.runtime.main.schedule { continuation.resume() }
      }
      if round % 3 > 0 { continue }
      for layer in layers { _ = try await layer.displayed() }
      for label in labels { _ = try await label.layer.displayed() }
    }
    for layer in layers { _ = try await layer.setNeedsDisplay().value }
    for label in labels { _ = try await label.layer.displayed() }
  }

  private func ask(_ round: Int) {
    for layer in layers { layer.setNeedsDisplay() }
    for label in labels { label.text = "\(round % 10)" }
    // The layer is released with its request.
    let passing = Self.layer(0, renderer)
    passing.setNeedsDisplay().onCompletion { _ in }
    passing.displayIfNeeded()
  }

  /// - Throws: an error if a kind of display did not occur.
  func requireAllKinds(among count: Int) throws {
    let metrics = renderer.metrics
    guard metrics.drawn > count / 2, metrics.cancelledBeforeDrawing > count / 100,
      metrics.cancelledWhileDrawing > 0, metrics.failed == 0
    else { throw Missing(metrics: metrics) }
  }
}
