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

  /// The rendered pixels of a picture, with the colour at each point of the picture.
  private struct Colors {
    private let raster: Raster

    init(_ picture: TimelinePicture) throws { raster = try PNG(picture.png()).pixels() }

    func at(_ x: Double, _ y: Double) -> UInt32 {
      raster.pixels[Int(y * 2) * raster.width + Int(x * 2)] & 0xFF_FFFF
    }
  }

  private static let ground = PictureInk.ground.color(isDark: false)
  private static let failure = PictureInk.failure.color(isDark: false)

  @Test func `a delay is a dashed line`() throws {
    let picture = TimelinePicture(of: [Happenings.retry])
    let colors = try Colors(picture)
    let lines = picture.marks.compactMap { mark -> TimelinePicture.Line? in
      if case .line(let line) = mark, line.dash == 4, line.points.count == 2 { line } else { nil }
    }
    let line = try #require(lines.first { $0.points[1].x - $0.points[0].x > 40 })
    let (from, to, y) = (line.points[0].x, line.points[1].x, line.points[0].y)
    let dashes = stride(from: from + 2, to: to - 8, by: 8).map { colors.at($0, y) }
    let gaps = stride(from: from + 6, to: to - 4, by: 8).map { colors.at($0, y) }
    #expect(dashes.allSatisfy { $0 == line.ink.color(isDark: false) })
    // A line of the axis may be in one of the gaps.
    #expect(gaps.count > 3 && gaps.count { $0 != Self.ground } <= 1, "\(gaps)")
  }

  @Test func `a cancelled step is a frame, with a cross where it timed out`() throws {
    let picture = TimelinePicture(of: [Happenings.timeout])
    let colors = try Colors(picture)
    var (frames, crosses) = (0, 0)
    for mark in picture.marks {
      switch mark {
      case .rectangle(let frame):
        guard case .framed = frame.fill, frame.width > 100 else { continue }
        frames += 1
        let (x, y) = (frame.x + frame.width / 2, frame.y + frame.height / 2)
        #expect(colors.at(x, y) == Self.ground, "inside")
        #expect(colors.at(x, frame.y + 1) == frame.ink.color(isDark: false), "the upper edge")
        #expect(colors.at(frame.x + 1, y) == frame.ink.color(isDark: false), "the left edge")
      case .line(let line) where line.ink == .failure:
        crosses += 1
        let (one, other) = (line.points[0], line.points[1])
        let (x, y) = ((one.x + other.x) / 2, (one.y + other.y) / 2)
        #expect(colors.at(x, y) == Self.failure, "the centre")
        for sign in [-1.0, 1] {
          #expect(colors.at(x - 4, y + 4 * sign) == Self.failure, "an arm")
        }
        #expect(colors.at(x - 5, y) == Self.ground, "between the arms")
      default: break
      }
    }
    // The cross of the row and that of the legend have two lines each.
    #expect(frames == 1 && crosses == 4)
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
