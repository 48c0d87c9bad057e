import AsyncRender
import BareDrawing
import Measuring

/// One thread draws layers one after another, on canvases and with bare calls of Cairo and Pango in C.
enum OneThread {
  private static let layers = Layer.samples(100)
  private static let most = 1.03

  static func measure() throws -> [Ranking] {
    let kept = bare_drawing_create()
    defer { bare_drawing_destroy(kept) }
    try requireLikeness(kept)
    let contestants = [
      Contestant("Canvas") { try drawAll() },
      Contestant("Cairo in C, with a layout that is kept") {
        ContinuousClock().measure {
          for layer in layers { bare_drawing_layer(kept, layer.title, layer.body, nil) }
        }
      },
      Contestant("Cairo in C, with a layout for each text") {
        ContinuousClock().measure {
          for layer in layers { bare_drawing_layer_simply(layer.title, layer.body, nil) }
        }
      },
    ]
    let times = try Contestant.times(of: contestants, rounds: 41)
    let names = [
      "Canvas", "Cairo in C, with a layout that is kept", "Cairo in C, with a layout for each text",
    ]
    return [
      Ranking(
        "a layer of 300 x 200 with text and shapes, on one thread",
        zip(names, times).map { (name: $0, times: $1) }, count: layers.count,
        targets: [names[1]: most, names[2]: most])
    ]
  }

  /// Draws on canvases and does nothing else, for a profiler.
  @discardableResult
  static func drawAll() throws -> Duration {
    let style = try Layer.Style()
    let start = ContinuousClock().now
    for layer in layers {
      let canvas = try Canvas(size: Layer.size)
      layer.draw(on: canvas, style, unless: { false })
      _ = try canvas.finish()
    }
    return ContinuousClock().now - start
  }

  /// Draws with bare calls and does nothing else, for a profiler.
  static func drawAllBare() {
    let kept = bare_drawing_create()
    for layer in layers { bare_drawing_layer(kept, layer.title, layer.body, nil) }
    bare_drawing_destroy(kept)
  }

  /// Checks that both draw the same, except for the curves that make up a circle.
  private static func requireLikeness(_ kept: OpaquePointer?) throws {
    let style = try Layer.Style()
    for layer in layers.prefix(10) {
      let canvas = try Canvas(size: Layer.size)
      layer.draw(on: canvas, style, unless: { false })
      let picture = try canvas.finish()
      var bare = [UInt32](repeating: 0, count: 300 * 200)
      bare_drawing_layer(kept, layer.title, layer.body, &bare)
      let drawn = picture.withPixels { Array($0.bindMemory(to: UInt32.self)) }
      let most = zip(drawn, bare).map { pixel, other in
        [0, 8, 16, 24].map { abs(Int(pixel >> $0 & 0xFF) - Int(other >> $0 & 0xFF)) }.max()!
      }.max()!
      guard most <= 8 else { throw Unlike(difference: most) }
    }
  }

  struct Unlike: Error, CustomStringConvertible {
    let difference: Int
    var description: String {
      "the canvas and the bare calls do not draw the same: a component differs by \(difference)"
    }
  }
}
