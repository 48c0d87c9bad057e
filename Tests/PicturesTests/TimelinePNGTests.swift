import AsyncPatterns
import Foundation
import Pictures
import Testing
import TimingTrace

/// Timelines as pixels.
@Suite struct TimelinePNGTests {
  private static func run(_ labels: [String]) -> SavedRun {
    var events: [TraceEvent] = []
    let root = Span(id: 1)
    func at(_ milliseconds: Int) -> Instant {
      Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }
    events.append(.submitted(root, in: .none, label: "serial", kind: "serial", at: at(0)))
    events.append(.started(root, at: at(0)))
    for (index, label) in labels.enumerated() {
      let span = Span(id: UInt32(index + 2))
      events.append(.submitted(span, in: root, label: label, kind: "sleep", at: at(10 * index)))
      events.append(.started(span, at: at(10 * index + 2)))
      events.append(
        .finished(span, .success, at: at(10 * index + 10)))
    }
    events.append(
      .finished(root, .success, at: at(10 * labels.count)))
    let record = RunRecord(events: events, name: "run", clock: .virtual, outcome: .success)
    return SavedRun(name: "run", source: "", composition: "", record: record, events: events)
  }

  @Test func `a picture has two pixels a unit, and its colours`() throws {
    let picture = TimelinePicture(of: [Self.run(["a", "b"])])
    let png = try PNG(picture.png())
    #expect(png.width == 2560)
    #expect(Double(png.height) == picture.height * 2)
    let pixels = try png.pixels().pixels
    let colors = Set(pixels.map { $0 & 0xFF_FFFF })
    for ink in [PictureInk.ground, .critical, .text, .line] {
      #expect(colors.contains(ink.color(isDark: false)), "\(ink)")
    }
    #expect(pixels.allSatisfy { $0 >> 24 == 0xFF }, "it is opaque")
  }

  @Test func `the same runs give the same bytes`() throws {
    let picture = TimelinePicture(of: [Self.run(["a", "b"])])
    #expect(try picture.png() == picture.png())
    #expect(try picture.png(scale: 1) != picture.png())
  }

  @Test func `any text is drawn`() throws {
    let labels = [
      "\u{0}", "日本語 🎉", "<b>", String(repeating: "long ", count: 4000), "\u{202E}x", "",
    ]
    let png = try PNG(TimelinePicture(of: [Self.run(labels)]).png(scale: 1))
    #expect(png.width == 1280)
    #expect(try PNG(TimelinePicture(of: []).png()).width == 2560)
  }
}
