import Foundation
import Testing

@testable import AsyncRender

/// The loop on which layers are displayed, and the share of its turns that this takes.
@Suite struct TurnTests {
  private let studio = Studio()

  /// Layers that each take 2 ms of the loop.
  private func layers(_ count: Int, _ renderer: Renderer) -> [RenderLayer] {
    (0..<count).map { number in
      RenderLayer(
        size: Size(width: 1, height: 1), displaysAsynchronously: false, renderer: renderer
      ) { [studio] _ in
        DisplayTask { _, _, _ in
          studio.runtime.work(for: .ms(2))
          studio.note("\(number)")
        }
      }
    }
  }

  @Test func `a limit ends a pass, and the remaining layers come in the next turn, in order`() {
    let renderer = Renderer(turnLimit: .ms(4), runtime: studio.runtime)
    let layers = layers(5, renderer)
    for layer in layers { layer.setNeedsDisplay() }
    studio.at(1) { [studio] in studio.note("a job in between") }
    // The layer goes behind the remaining layers.
    studio.at(2) { layers[0].setNeedsDisplay() }
    studio.run()
    #expect(
      studio.log.entries == [
        "0@2", "1@4", "a job in between@4", "2@6", "3@8", "4@10", "0@12",
      ])
    #expect(renderer.turnLimit == .ms(4))
  }

  @Test(arguments: [0, -1]) func `a limit of zero displays one layer a turn`(_ milliseconds: Int) {
    let renderer = Renderer(turnLimit: .ms(milliseconds), runtime: studio.runtime)
    let layers = layers(3, renderer)
    let turns = studio.runtime.atEndOfTurn(order: .max) { [studio] in studio.note("|") }
    studio.at(0) { for layer in layers { layer.setNeedsDisplay() } }
    studio.run()
    turns.cancel()
    studio.run()
    #expect(
      studio.log.entries.filter { $0 != "|@0" } == ["0@2", "|@2", "1@4", "|@4", "2@6", "|@6"])
  }

  @Test func `layers of one group are shown together, even if their pass takes several turns`() {
    let renderer = Renderer(turnLimit: .zero, runtime: studio.runtime)
    let layers = (0..<3).map { number in
      RenderLayer(size: Size(width: 1, height: 1), renderer: renderer) { [studio] _ in
        DisplayTask { _, _, _ in studio.runtime.work(for: .ms(1 + number)) }
      }
    }
    let group = DisplayGroup(layers)
    for layer in layers {
      layer.onContentsChange = { [studio] _ in
        studio.note("\(layers.count { $0.contents != nil })")
      }
      layer.setNeedsDisplay()
    }
    studio.run()
    #expect(studio.log.entries == ["3@3", "3@3", "3@3"])
    withExtendedLifetime(group) {}
    // The handlers form reference cycles.
    for layer in layers { layer.onContentsChange = nil }
  }

  @Test func `nothing is left behind when the limit ends a pass`() throws {
    let renderer = Renderer(turnLimit: .zero, runtime: studio.runtime)
    let layers = layers(3, renderer)
    for layer in layers { layer.setNeedsDisplay() }
    studio.run()
    try studio.runtime.finish()
    #expect(layers.allSatisfy { $0.metrics.drawn == 1 })
  }

  @Test func `a remaining layer that is released is not displayed`() throws {
    let renderer = Renderer(turnLimit: .zero, runtime: studio.runtime)
    let layers = Locked(layers(3, renderer))
    for layer in layers.withLock({ $0 }) { layer.setNeedsDisplay() }
    studio.at(1) { layers.withLock { $0 = Array($0.dropLast()) } }
    studio.run()
    #expect(studio.log.entries == ["0@2", "1@4"])
    try studio.runtime.finish()
  }

  // MARK: Orders

  @Test func `a request from a later action of the turn is displayed in the next turn`() {
    let layer = studio.layer("a")
    let registration = Locked<(any Cancellable)?>(nil)
    let early = studio.runtime.atEndOfTurn(order: 1) { [studio] in
      registration.withLock { $0 }?.cancel()
      layer.setNeedsDisplay()
      studio.note("asked")
    }
    registration.withLock { $0 = early }
    let late = studio.runtime.atEndOfTurn(order: .max) { [studio] in studio.note("|") }
    studio.at(1) {}
    studio.run()
    late.cancel()
    studio.run()
    let entries = studio.log.entries.drop { $0 == "|@0" }
    #expect(Array(entries.prefix(3)) == ["asked@1", "|@1", "will a1@1"])
  }

  // MARK: Loops

  @Test func `layers of another loop are announced and shown on that loop`() {
    let lanes = Log()
    let loop = studio.runtime.runLoop("pages")
    let renderer = Renderer(on: loop, runtime: studio.runtime)
    #expect(renderer.loop.now == studio.runtime.now)
    let layer = RenderLayer(size: Size(width: 1, height: 1), renderer: renderer) { _ in
      lanes.append("task \(loop.isCurrent)")
      return DisplayTask { _, _, _ in
        lanes.append("display \(loop.isCurrent)")
      } didDisplay: { _, finished in
        lanes.append("did \(finished) \(loop.isCurrent)")
      }
    }
    layer.onContentsChange = { _ in
      lanes.append("contents \(loop.isCurrent)")
    }
    studio.at(1) { layer.setNeedsDisplay() }
    studio.run()
    studio.at(2) { layer.displayImmediately() }
    studio.run()
    #expect(
      lanes.entries == [
        "task true", "display false", "contents true", "did true true", "task true",
        "display true", "contents true", "did true true",
      ])
  }

  @Test(.timeLimit(.minutes(1)))
  func `layers of a thread's own loop, on the machine's clock`() async throws {
    let loop = LiveRuntime.shared.runLoop("pages")
    let renderer = Renderer(on: loop)
    let wrong = Log()
    let layers = (0..<20).map { _ in
      RenderLayer(size: Size(width: 9, height: 9), renderer: renderer) { _ in
        if !loop.isCurrent { wrong.append("task") }
        return DisplayTask { _, _, _ in
          if loop.isCurrent { wrong.append("display") }
        } didDisplay: { _, _ in
          if !loop.isCurrent { wrong.append("did") }
        }
      }
    }
    for layer in layers { layer.setNeedsDisplay() }
    for layer in layers {
      let picture = try await layer.displayed()
      #expect(picture?.width == 9)
    }
    #expect(wrong.entries == [])
  }
}
