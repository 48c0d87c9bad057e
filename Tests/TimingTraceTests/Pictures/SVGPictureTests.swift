import Foundation
import Testing
import TimingTrace

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct SVGPictureTests {
  /// The elements and texts that an independent parser finds in the XML.
  private final class Elements: NSObject, XMLParserDelegate {
    var names: [String] = []
    var texts: [String] = []
    var attributes: [[String: String]] = []
    private var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      names.append(name)
      self.attributes.append(attributes)
      text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      if name == "text" { texts.append(text) }
    }
  }

  private func elements(of runs: [SavedRun]) throws -> Elements {
    let parser = XMLParser(data: Data(TraceFormat.svg.text(of: runs).utf8))
    let elements = Elements()
    parser.delegate = elements
    try #require(
      parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    return elements
  }

  @Test(arguments: ExportSamples.runs + [ManySteps.hostileRun])
  func `the picture of every run is well-formed`(run: SavedRun) throws {
    let elements = try elements(of: [run])
    #expect(elements.names.first == "svg")
    #expect(!elements.names.contains("script"))
    // No element lies outside the picture, and every number is finite.
    let size = elements.attributes[0]
    let (width, height) = (Double(size["width"] ?? "") ?? 0, Double(size["height"] ?? "") ?? 0)
    #expect(width == 1280 && height > 50 && height < 4000, "\(width) × \(height)")
    for (name, attributes) in zip(elements.names, elements.attributes) where name == "rect" {
      let numbers = ["x", "y", "width", "height"].map { Double(attributes[$0] ?? "0") ?? .nan }
      guard attributes["x"] != nil else { continue }
      #expect(numbers[0] >= 0 && numbers[0] + numbers[2] <= width, "\(attributes)")
      #expect(numbers[1] >= 0 && numbers[1] + numbers[3] <= height, "\(attributes)")
    }
  }

  @Test func `a picture shows the parts of a run`() throws {
    let texts = try elements(of: [ExportSamples.run("serial", AnalysisTests.serial)]).texts
    #expect(texts.contains("serial"))
    #expect(texts.contains("Critical path: a 10ms (33\u{A0}%) → b 20ms (67\u{A0}%)"))
    #expect(
      texts.joined(separator: " ").contains(
        "To make it shorter, start with “b”: it took 20ms, 67\u{A0}% of the makespan.")
    )
    // The cause beside the arrow; the share in the bar, the duration and the lane; the legend.
    #expect(texts.count { $0 == "dependency" } == 2)
    #expect(texts.contains("67\u{A0}%") && texts.contains("20ms") && texts.contains("pool-1"))
    #expect(texts.contains("on the critical path") && texts.contains("waits"))
    #expect(texts.contains("in flight") && texts.contains("up to 1"))
  }

  @Test func `a blocked thread is shown and explained`() throws {
    let script = EventScript("root: serial.semaphore blocked 0..10 by a { a: 0..10 }")
    let elements = try elements(of: [ExportSamples.run("blocking", script)])
    #expect(elements.texts.contains("a thread is blocked"))
    let finding = elements.texts.first { $0.hasPrefix("blocked-thread: ") }
    #expect(finding?.contains("blocked a thread for 10ms") == true)
    let hatches = elements.attributes.filter { $0["fill"]?.hasPrefix("url(#blocked") == true }
    #expect(hatches.count == 2, "the bar, and the legend")
    #expect(
      elements.texts.count { $0 == "1" } == 2, "beside the row, and beside what is said of it")
  }

  @Test func `ten thousand steps fit into one picture that shows their number`() throws {
    let svg = TraceFormat.svg.text(of: [ManySteps.run(10_000)])
    #expect(svg.utf8.count < 200_000)
    #expect(svg.contains(">page × 10 000<"))
    _ = try elements(of: [ManySteps.run(10_000)])
  }

  @Test func `the critical path is kept if there is no room for all steps`() throws {
    let run = ExportSamples.run("unlike", TimelineTests.unlike)
    let texts = try elements(of: [run]).texts
    #expect(run.record.steps.count(where: \.isCritical) == 10)
    // Long labels are shortened but visible; the other labels start with fewer x.
    #expect(texts.count { $0.hasPrefix("s" + String(repeating: "x", count: 20)) } >= 10)
    #expect(texts.contains("… 74 more steps"))
  }

  @Test func `runs beyond the limit are counted`() throws {
    let run = ExportSamples.run("serial", AnalysisTests.serial)
    let texts = try elements(of: Array(repeating: run, count: 9)).texts
    #expect(texts.count { $0 == "serial" } == 6)
    #expect(texts.contains("… 3 more runs"))
    let more = try elements(of: Array(repeating: run, count: 7)).texts
    #expect(more.contains("… 1 more run"))
    #expect(try elements(of: []).texts == ["no runs"])
  }

  /// The number of times a label of the axis occurs shows whether both runs have it.
  @Test(arguments: [(60, "50ms", 2), (600, "500ms", 1)] as [(Int64, String, Int)])
  func `runs share a scale unless one is much shorter`(
    length: Int64, mark: String, count: Int
  ) throws {
    let runs = [
      ExportSamples.run("short", AnalysisTests.serial),
      ExportSamples.run("long", EventScript("a: 0..\(length)")),
    ]
    #expect(try elements(of: runs).texts.count { $0 == mark } == count)
  }

  @Test func `colours suit light and dark mode`() {
    let svg = TraceFormat.svg.text(of: [ExportSamples.run("serial", AnalysisTests.serial)])
    #expect(svg.contains("@media (prefers-color-scheme: dark)"))
    #expect(svg.contains("fill=\"#d95f02\" class=\"f-critical\""))
    #expect(svg.contains(".f-critical { fill: #ff9a3d }"))
  }

  @Test(
    .enabled(if: Validator.hasLibrsvg, "librsvg draws it: Debian package librsvg2-bin."),
    arguments: ExportSamples.runs + [ManySteps.hostileRun])
  func `librsvg draws the picture`(run: SavedRun) throws {
    try Validator.withFile(TraceFormat.svg.text(of: [run]), ending: ".svg") { file in
      _ = try Validator.run("rsvg-convert", "--output", file + ".png", file)
      defer { try? FileManager.default.removeItem(atPath: file + ".png") }
      let drawn = try Data(contentsOf: URL(filePath: file + ".png"))
      #expect(drawn.count > 1000)
      #expect(drawn.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }
}
