import AsyncRender
import Foundation
import PatternTesting
import Testing

/// Draws on many canvases at the same time. Each has its own context, and no drawing affects another.
@Suite(.serialized) struct ConcurrentDrawingTests {
  /// Text of several scripts, shapes, gradients and a picture, different for each number.
  private static func draw(_ number: Int, with stamp: Picture) throws -> Picture {
    let canvas = try Canvas(
      size: Size(width: 200, height: 120), scale: number % 3 == 0 ? 2 : 1,
      isOpaque: number % 2 == 0)
    let hue = Double(number % 7) / 7
    canvas.fill(
      with: .linear(
        Gradient(Color(red: hue, green: 0.3, blue: 1 - hue), .white), from: .zero,
        to: Point(x: 200, y: 120)))
    canvas.stroke(
      Path(roundedRect: Rect(x: 4, y: 4, width: 192, height: 112), radius: 12),
      with: .color(.black), width: 3, dash: [7, 3])
    canvas.saved {
      canvas.translate(x: 150, y: 70)
      canvas.rotate(Double(number) / 10)
      canvas.draw(stamp, in: Rect(x: -20, y: -20, width: 40, height: 40), opacity: 0.7)
    }
    let families = ["Sans", "Serif", "Monospace", "Sans Bold", "Serif Italic"]
    let font = try Font("\(families[number % families.count]) \(7 + number % 5)")
    let text =
      "Layer \(number): words that wrap, שלום, مرحبا, ελληνικά, \u{10FFFE}\nand a second one"
    canvas.draw(
      TextLayout(text, font: font, width: 180, alignment: number % 2 == 0 ? .leading : .center),
      at: Point(x: 10, y: 8), color: Color(gray: 0.1))
    return try canvas.finish()
  }

  private static func stamp() throws -> Picture {
    try drawn(16, 16) {
      $0.fill(Path(circleAt: Point(x: 8, y: 8), radius: 7), with: .color(.black))
    }
  }

  @Test func `pictures drawn concurrently equal those drawn in order`() throws {
    let count = 60
    let stamp = try Self.stamp()
    let inOrder = try (0..<count).map { try Self.draw($0, with: stamp) }
    let pictures = Locked<[Int: [Picture?]]>([:])
    onThreads(8) { thread in
      for step in 0..<count {
        // Each thread draws in a different order.
        let number = (step * 7 + thread * 11) % count
        let picture = try? Self.draw(number, with: stamp)
        pictures.withLock { $0[number, default: []].append(picture) }
      }
    }
    for number in 0..<count {
      let drawn = pictures.withLock { $0[number] } ?? []
      #expect(drawn.count == 8)
      #expect(drawn.allSatisfy { $0 == inOrder[number] }, "picture \(number)")
    }
  }

  /// The files are equal byte for byte, not only in their pixels.
  @Test func `files written concurrently equal those written in order`() throws {
    let stamp = try Self.stamp()
    let pictures = try (0..<6).map { try Self.draw($0, with: stamp) }
    let inOrder = try pictures.map { try $0.pngData() }
    let written = Locked<[[Data?]]>([])
    onThreads(6) { _ in
      let files = pictures.map { try? $0.pngData() }
      written.withLock { $0.append(files) }
    }
    #expect(written.withLock { $0 } == Array(repeating: inOrder, count: 6))
  }

  /// Many threads draw, read and release one picture at the same time.
  @Test func `many threads can share a picture`() throws {
    let stamp = try Self.stamp()
    let sums = Locked<Set<Int>>([])
    onThreads(8) { _ in
      for _ in 0..<50 {
        let picture = try? drawn(32, 32) { canvas in
          for corner in 0..<4 {
            canvas.draw(stamp, at: Point(x: Double(corner % 2 * 16), y: Double(corner / 2 * 16)))
          }
        }
        var hasher = Hasher()
        picture?.hash(into: &hasher)
        let sum = hasher.finalize()
        sums.withLock { _ = $0.insert(sum) }
      }
    }
    #expect(sums.withLock { $0.count } == 1)
  }

  /// A layout is a value. It is drawn correctly even if it was measured on another thread.
  @Test func `many threads can share a layout`() throws {
    let layout = TextLayout(
      "words in several lines, for all threads", font: try Font("Serif 11"), width: 90)
    let lines = layout.lines
    let answers = Locked<[[TextLine]]>([])
    onThreads(8) { _ in
      for _ in 0..<20 {
        let lines = layout.lines
        answers.withLock { $0.append(lines) }
      }
    }
    #expect(answers.withLock { $0.count } == 160)
    #expect(answers.withLock { $0.allSatisfy { $0 == lines } })
  }

  /// Threads that end free the memory that they kept for text. Runs in its own process, so that it does not measure
  /// other tests.
  @Test func `memory does not grow as many threads draw`() async {
    await #expect(processExitsWith: .success) {
      let stamp = try ConcurrentDrawingTests.stamp()
      func round(_ count: Int) {
        onThreads(2) { thread in
          for number in 0..<count {
            _ = try? ConcurrentDrawingTests.draw(number % 20 + thread, with: stamp)
          }
        }
      }
      for _ in 0..<5 { round(60) }
      let before = usedBytes
      for _ in 0..<20 { round(60) }
      // 2400 pictures of a hundred kilobytes or more, and forty threads.
      guard usedBytes - before < 24 << 20 else { throw Grown(bytes: usedBytes - before) }
    }
  }

  private struct Grown: Error { let bytes: Int }
}
