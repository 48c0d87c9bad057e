import Foundation
import Testing

/// The scrolling list: an application of two modules, loaded as a folder of sources.
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

  /// Four flings with given costs, on the virtual clock.
  private static let virtual = """
    load "\(folder)"
    set clock virtual
    scroll(drawing: sync, \(costs))
    scroll(drawing: async, \(costs))
    scroll.figure(name: stall, per: sync)
    expect value < 0.03
    scroll(drawing: async, lanes: 1, \(costs))
    scroll(drawing: yy, lanes: 1, \(costs))
    scroll.figure(name: wasted, per: yy)
    expect value < 0.03
    scroll.figure(name: missed, per: yy)
    expect value == 1
    """
  private static let costs = "card-cost: 840us, text-cost: 420us, setup-cost: 30us"

  @Test func `figures on the virtual clock are exact`() async throws {
    let outcome = try await PlaygroundHome().run(["--json", "run", "-"], input: Self.virtual)
    #expect(outcome.code == 0, "\(outcome)")
    let figures = try outcome.records("run").filter {
      $0.string("name")?.hasPrefix("scroll(") == true
    }
    let expected: [[String: Int]] = [
      [
        "frames": 60, "missed": 60, "stall": 29_820_000, "share": 16_246_667, "rows": 710,
        "late": 0, "unseen": 0, "drawings": 1_453, "wasted": 0,
      ],
      [
        "frames": 60, "missed": 0, "stall": 720_000, "share": 720_000, "rows": 973, "late": 0,
        "unseen": 0, "drawings": 1_969, "wasted": 0,
      ],
      [
        "frames": 60, "missed": 0, "stall": 720_000, "share": 720_000, "rows": 973, "late": 511,
        "unseen": 225, "drawings": 1_565, "wasted": 46,
      ],
      [
        "frames": 60, "missed": 0, "stall": 720_000, "share": 720_000, "rows": 973, "late": 960,
        "unseen": 937, "drawings": 1_946, "wasted": 1_872,
      ],
    ]
    #expect(figures.map(Self.figures(of:)) == expected)
    #expect(
      figures.map { $0.objects("lints").map { $0.string("rule") } }
        == [[], [], [], ["missing-did-display"]])
  }

  /// The virtual part of the script uses the times that the live part has measured. Other tests that run at the same
  /// time affect only the live part.
  @Test func `the expectations of the script pass`() async throws {
    let script = Self.root + "/Scripts/scroll.play"
    let text = try String(contentsOfFile: script, encoding: .utf8)
    // The program runs in another working folder, and finds the files that the script loads beside the script.
    let outcome = try await PlaygroundHome().run(["--json", "run", script])
    #expect([0, 1].contains(outcome.code), "\(outcome)")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "set clock virtual"))
    let expectations = try outcome.records("expect")
    #expect(expectations.count > 25)
    for expectation in expectations {
      let isVirtual = (expectation.integer("line") ?? 0) > start
      let isRelation = expectation.string("text")?.hasPrefix("value <") == true
      #expect(isRelation && !isVirtual || expectation.bool("passed") == true, "\(expectation)")
    }
  }

  @Test func `costs that were not measured are not guessed`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load "\(Self.folder)"
      set clock virtual
      scroll(costs: measured)
      scroll.figure(name: stall, of: yy)
      """)
    #expect(outcome.code == 3, "\(outcome)")
    #expect(outcome.output.contains("there are no measured costs"))
    #expect(outcome.output.contains("first run “scroll(drawing: yy)”"))
  }

  /// On the live clock rows are really drawn, and each way of drawing shows the same final screen.
  @Test func `rows are really drawn, and identical in each mode`() async throws {
    let pictures = try await Self.pictures(["drawing: async", "drawing: sync", "drawing: yy"])
    #expect(pictures.count == 3 && Set(pictures).count == 1)
    let picture = try #require(pictures[0])
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // 23 rows of text need at least this size; blank rows would need less.
    #expect(picture.count > 100_000)
  }

  /// The text on a card is as opaque as its layer.
  @Test func `the opacity of a layer is visible`() async throws {
    let pictures = try await Self.pictures(
      ["text-opacity: 0", "text-opacity: 0.75", "text-opacity: 1", "text-opacity: 0.75"])
    let sizes = pictures.map { $0?.count ?? 0 }
    try #require(sizes.count == 4)
    // Text makes up most of the size of the file.
    #expect(sizes[0] * 3 / 2 < sizes[1])
    #expect(pictures[1] == pictures[3] && pictures[1] != pictures[2])
  }

  /// The screen at the end of short flings on the live clock.
  private static func pictures(_ arguments: [String]) async throws -> [Data?] {
    let flings = arguments.map { "scroll(rows: 30, duration: 100ms, yields: picture, \($0))" }
    let outcome = try await PlaygroundHome().run(
      ["--json", "--clock", "live", "run", "-"],
      input: "load \"\(folder)\"\n\(flings.joined(separator: "\n"))\n")
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.records("run").map {
      $0.string("value").flatMap { Data(base64Encoded: $0) }
    }
  }

  @Test func `a cancelled scroll ends and leaves nothing behind`() async throws {
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
    ("scroll(card-cost: -1ms)", "cannot be negative"),
    ("scroll(text-opacity: 2)", "from 0 to 1"),
    ("scroll.figure(name: speed)", "takes frames or missed"),
    ("scroll { value 1 }", "takes no steps"),
  ]

  @Test(arguments: refused) func `invalid arguments are refused`(
    written: String, says: String
  ) async throws {
    let outcome = try await PlaygroundHome().eval("load \"\(Self.folder)\"\n\(written)")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains(says), "\(outcome)")
  }
}
