import Foundation
import Testing

/// The list that is flung: an application of two modules, loaded as a folder of sources.
@Suite struct ScrollTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private static let folder = root + "/Scripts/Scroll"

  /// The figures of a run, by their names.
  private static func figures(of run: JSONRecord) -> [String: Int] {
    var figures: [String: Int] = [:]
    for pair in run["value"] as? [[Any]] ?? [] {
      guard let name = pair.first as? String else { continue }
      figures[name] = (pair.last as? NSNumber)?.intValue
    }
    return figures
  }

  /// What the script says of the virtual clock, without what it draws for real before.
  @Test func theScriptHoldsWhatItSaysOfTheVirtualClock() async throws {
    let text = try String(contentsOfFile: Self.root + "/Scripts/scroll.play", encoding: .utf8)
    let start = try #require(text.range(of: "set clock virtual\n")?.lowerBound)
    let outcome = try await PlaygroundHome().run(
      ["--json", "run", "-"], input: "load \"\(Self.folder)\"\n\(text[start...])")
    #expect(outcome.code == 0, "\(outcome)")
    let expectations = try outcome.records("expect")
    #expect(expectations.count == 9)
    for expectation in expectations {
      #expect(expectation.bool("passed") == true, "\(expectation)")
    }

    let runs = try outcome.records("run")
    let figures = runs.map(Self.figures(of:))
    try #require(figures.count == 4)
    let (main, asynchronous, scarce, original) = (figures[0], figures[1], figures[2], figures[3])
    // Most frames are missed on the main thread, and none off it.
    #expect(try #require(main["missed"]) > 30)
    #expect([asynchronous["missed"], scarce["missed"], original["missed"]] == [0, 0, 0])
    // 2 ms of a frame is what the main thread may take.
    #expect(try #require(asynchronous["share"]) <= 2_000_000)
    // With one lane for the same rows, cancellation keeps nearly all of what the original wastes.
    #expect(try #require(scarce["wasted"]) * 10 < #require(original["wasted"]))
    #expect(try #require(scarce["unseen"]) < #require(original["unseen"]))
    #expect(
      runs.map { $0.objects("lints").map { $0.string("rule") } }
        == [[], [], [], ["missing-did-display"]])
  }

  /// On the live clock rows are drawn, and in the end each way shows the same.
  @Test func rowsAreDrawnForRealAndTheSameInEachWay() async throws {
    let fling = "scroll(rows: 30, duration: 100ms, yields: picture, drawing: "
    let ways = ["async", "sync", "yy"].map { "\(fling)\($0))" }
    let outcome = try await PlaygroundHome().run(
      ["--json", "--clock", "live", "run", "-"],
      input: "load \"\(Self.folder)\"\n\(ways.joined(separator: "\n"))\n")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let pictures = try outcome.records("run").map {
      $0.string("value").flatMap { Data(base64Encoded: $0) }
    }
    #expect(pictures.count == 3 && Set(pictures).count == 1)
    let picture = try #require(pictures[0])
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // 23 rows of text do not come to less; white ones would.
    #expect(picture.count > 100_000)
  }

  @Test func cancelledItEndsAndLeavesNothing() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load "\(Self.folder)" Promises
      timeout(100ms) { scroll }
      expect outcome == failure
      expect makespan < 120ms
      expect lints == none
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  static let refused: [(written: String, says: String)] = [
    ("scroll(drawing: nowhere)", "async or sync or yy"),
    ("scroll(duration: 2min)", "up to a minute"),
    ("scroll(decay: -1)", "from 0 to 100"),
    ("scroll(row-cost: -1ms)", "cannot be negative"),
    ("scroll { value 1 }", "takes no steps"),
  ]

  @Test(arguments: refused) func whatMakesNoSenseIsRefused(
    written: String, says: String
  ) async throws {
    let outcome = try await PlaygroundHome().eval("load \"\(Self.folder)\"\n\(written)")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains(says), "\(outcome)")
  }
}
