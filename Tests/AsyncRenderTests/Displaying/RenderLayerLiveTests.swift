import Foundation
import PatternTesting
import Testing

@testable import AsyncRender

/// Tests on real threads, which also run under ThreadSanitizer.
@Suite(.timeLimit(.minutes(2))) struct RenderLayerLiveTests {
  /// Counts the displays in progress and notifies its waiters when there are none.
  private final class Ledger: Sendable {
    private struct State {
      var open = 0
      var wills = 0
      var shown = 0
      var waiters: [@Sendable (Result<Void, any Error>) -> Void] = []
    }

    private let state = Locked(State())

    var wills: Int { state.withLock { $0.wills } }
    var shown: Int { state.withLock { $0.shown } }

    func will() {
      state.withLock { state in
        state.open += 1
        state.wills += 1
      }
    }

    func did(_ finished: Bool) {
      let waiters = state.withLock { state in
        state.open -= 1
        if finished { state.shown += 1 }
        guard state.open == 0 else { return [@Sendable (Result<Void, any Error>) -> Void]() }
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter(.success(())) }
    }

    /// - Throws: an error when the time of the test has run out.
    func allEnded() async throws {
      try await AwaitedResult<Void>.wait { bring in
        let isFinished = state.withLock { state in
          if state.open > 0 { state.waiters.append(bring) }
          return state.open == 0
        }
        if isFinished { bring(.success(())) }
      }
    }
  }

  private func layer(_ renderer: Renderer, _ ledger: Ledger) -> RenderLayer {
    RenderLayer(size: Size(width: 400, height: 300), renderer: renderer) { _ in
      DisplayTask { canvas, size, isCancelled in
        isCancelled.onCancel {}
        for _ in 0..<20 where !isCancelled() {
          canvas.fill(Path(Rect(origin: .zero, size: size)), with: .color(.black))
        }
      } willDisplay: { _ in
        ledger.will()
      } didDisplay: { _, finished in
        ledger.did(finished)
      }
    }
  }

  static let lanes: [Renderer.Lanes] = [.queues(), .workers(count: 2)]

  @Test(arguments: lanes)
  func `requests from many threads give one didDisplay for each willDisplay, and all are shown`(
    _ lanes: Renderer.Lanes
  ) async throws {
    let renderer = Renderer(lanes: lanes)
    let ledger = Ledger()
    let layers = (0..<6).map { _ in layer(renderer, ledger) }
    for layer in layers { layer.group = layers[0].group ?? DisplayGroup() }
    await onThreads(4) { number in
      for round in 0..<150 {
        let layer = layers[(number + round) % layers.count]
        switch (number + round * 7) % 13 {
        case 0: layer.cancelDisplay()
        case 1: layer.isDisplaySuspended = true
        case 2: layer.isDisplaySuspended = false
        case 3: layer.displayImmediately()
        case 4: layer.policy = .finishThenLatest
        case 5: layer.policy = .cancelLatest
        case 6: layer.priority = Priority(round)
        case 7: _ = layer.metrics
        case 8: self.layer(renderer, ledger).setNeedsDisplay()
        default: layer.setNeedsDisplay().onCompletion { _ in }
        }
      }
    }
    // One synchronous display can answer the last request while earlier requests are still queued for the main lane
    // behind it. Those must come first.
    await withCheckedContinuation { continuation in
      renderer.loopQueue.schedule { continuation.resume() }
    }
    for layer in layers {
      layer.isDisplaySuspended = false
      _ = try await layer.setNeedsDisplay().value
      #expect(layer.contents != nil)
    }
    try await ledger.allEnded()
    #expect(ledger.wills == renderer.metrics.displays)
    #expect(ledger.shown == renderer.metrics.drawn)
    #expect(renderer.metrics.isBalanced)
  }

  @Test func `a text drawn concurrently on drawing lanes equals a text drawn on main`() async throws
  {
    let font = try Font("Sans 11")
    func label(_ number: Int, _ renderer: Renderer) -> TextLabel {
      TextLabel(
        "Row \(number): the quick brown fox jumps over the lazy dog", font: font,
        size: Size(width: 120, height: 60), renderer: renderer)
    }
    let renderer = Renderer()
    let labels = (0..<24).map { label($0, renderer) }
    for (number, label) in labels.enumerated() {
      let picture = try #require(try await label.layer.displayed())
      let alone = try alone(label.layout, label.size)
      #expect(alone == picture, "row \(number)")
    }
    withExtendedLifetime(labels) {}
  }

  private func alone(_ layout: TextLayout, _ size: Size) throws -> Picture {
    var layout = layout
    layout.width = size.width
    let canvas = try Canvas(size: size)
    canvas.draw(layout, at: .zero, color: .black)
    return try canvas.finish()
  }

  /// Calls `body` on several new threads, as nearly at the same time as possible.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              body(number)
              continuation.resume()
            }
          }
        }
      }
    }
  }
}
