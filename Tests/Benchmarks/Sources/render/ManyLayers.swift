import AsyncRender
import AsyncRuntime
import BareDrawing
import CoreFoundation
import Foundation
import Measuring
import Synchronization

/// Displays many layers, from the first request to the last picture shown. The lanes of a renderer are compared with
/// loops that only draw. All threads have drawn text before the first round that counts.
///
/// A renderer keeps each picture until the next one is available. The loops that are compared do the same. For
/// comparison, another loop releases each picture immediately and so draws into the same memory again and again.
enum ManyLayers {
  private static let samples = Layer.samples(100)

  static func measure() throws -> [Ranking] {
    [try onTwoLanes(), try onOneLane()]
  }

  /// Uses one lane and nothing else, for a profiler.
  static func displayAll() throws { _ = alone.displayAll() }
  private static let alone = try! RenderedLayers(samples, on: Renderer(lanes: .workers(count: 1)))

  /// The same, but shows each picture immediately, for a profiler.
  static func displayEach() throws { _ = each.displayAll() }
  private static let each = try! RenderedLayers(
    samples, on: Renderer(lanes: .workers(count: 1), showInterval: nil))

  /// The same as the first, on two lanes, for a profiler.
  static func displayPair() throws { _ = pair.displayAll() }
  private static let pair = try! RenderedLayers(samples, on: Renderer(lanes: .workers(count: 2)))

  /// Draws on one thread that keeps the pictures, for a profiler.
  static func drawAllBare() { _ = bare.drawAll() }
  private static let bare = BareThreads(1, samples)

  /// The target is at least 0.97 times as many layers in a second as threads that call Cairo and keep the drawings.
  private static func onTwoLanes() throws -> Ranking {
    let rendered = try RenderedLayers(samples, on: Renderer(lanes: .workers(count: 2)))
    let each = try RenderedLayers(
      samples, on: Renderer(lanes: .workers(count: 2), showInterval: nil))
    let threads = BareThreads(2, samples)
    let contestants = [
      Contestant("RenderLayer, two workers", round: rendered.displayAll),
      Contestant("two threads that call Cairo in C and keep the drawings") { threads.drawAll() },
      Contestant("… and keep nothing") { threads.drawAll(keeping: false) },
      Contestant("RenderLayer, two workers, each shown immediately", round: each.displayAll),
    ]
    return try ranking(
      "one of a hundred layers of 300 x 200, displayed on two lanes", contestants, most: 1 / 0.97)
  }

  private static func onOneLane() throws -> Ranking {
    let rendered = try RenderedLayers(samples, on: Renderer(lanes: .workers(count: 1)))
    let each = try RenderedLayers(
      samples, on: Renderer(lanes: .workers(count: 1), showInterval: nil))
    let threads = BareThreads(1, samples)
    let contestants = [
      Contestant("RenderLayer, one worker", round: rendered.displayAll),
      Contestant("a thread that calls Cairo in C and keeps the drawings") { threads.drawAll() },
      Contestant("… and keeps nothing") { threads.drawAll(keeping: false) },
      Contestant("RenderLayer, one worker, each shown immediately", round: each.displayAll),
    ]
    return try ranking(
      "one of a hundred layers of 300 x 200, displayed on one lane", contestants, most: 1.03)
  }

  private static func ranking(
    _ what: String, _ contestants: [Contestant], most: Double
  ) throws -> Ranking {
    let times = try Contestant.times(of: contestants, rounds: 41)
    let names = contestants.map(\.name)
    return Ranking(
      what, zip(names, times).map { (name: $0, times: $1) }, count: samples.count,
      targets: [names[1]: most])
  }
}

/// Layers of this library, displayed again and again on the main thread.
private final class RenderedLayers: Sendable {
  private let layers: [RenderLayer]

  init(_ samples: [Layer], on renderer: Renderer) throws {
    let style = try Layer.Style()
    layers = samples.map { sample in
      RenderLayer(size: Layer.size, renderer: renderer) { _ in
        DisplayTask { canvas, _, isCancelled in
          sample.draw(on: canvas, style, unless: { isCancelled() })
        }
      }
    }
  }

  /// Runs the loop of the main thread, which must be the calling thread, until all layers are shown.
  func displayAll() -> Duration {
    let left = Locked(layers.count)
    let start = ContinuousClock.now
    for layer in layers {
      layer.setNeedsDisplay().onCompletion { _ in
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { CFRunLoopStop(CFRunLoopGetMain()) }
      }
    }
    CFRunLoopRun()
    return ContinuousClock.now - start
  }
}

/// Threads that only draw with bare calls. Each keeps its own layout.
private final class BareThreads: Sendable {
  private let count: Int
  private let samples: [Layer]
  private let next = Atomic<Int>(0)
  private let keeps = Atomic<Bool>(true)
  private let kept: Locked<[Kept?]>
  private let start = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)

  /// A drawn layer, which is freed with this object.
  private final class Kept: @unchecked Sendable {
    // Safe to share: the layer is never read.
    private let layer: UnsafeMutableRawPointer

    init(_ layer: UnsafeMutableRawPointer) { self.layer = layer }

    deinit { bare_drawing_release(layer) }
  }

  init(_ count: Int, _ samples: [Layer]) {
    self.count = count
    self.samples = samples
    kept = Locked(Array(repeating: nil, count: samples.count))
    for _ in 0..<count { Thread.detachNewThread { [self] in draw() } }
  }

  private func draw() {
    let drawing = bare_drawing_create()
    while true {
      start.wait()
      let keeps = keeps.load(ordering: .relaxed)
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < samples.count else { break }
        let (title, body) = (samples[number].title, samples[number].body)
        if keeps {
          let layer = Kept(bare_drawing_kept_layer(drawing, title, body))
          let old = kept.withLock { kept in
            defer { kept[number] = layer }
            return kept[number]
          }
          withExtendedLifetime(old) {}
        } else {
          bare_drawing_layer(drawing, title, body, nil)
        }
      }
      end.signal()
    }
  }

  /// - Parameter keeping: whether each layer is kept until the next round has drawn it again.
  func drawAll(keeping: Bool = true) -> Duration {
    next.store(0, ordering: .relaxed)
    keeps.store(keeping, ordering: .relaxed)
    return ContinuousClock().measure {
      for _ in 0..<count { start.signal() }
      for _ in 0..<count { end.wait() }
    }
  }
}
