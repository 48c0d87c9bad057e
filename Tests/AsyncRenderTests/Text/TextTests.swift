import AsyncRender
import Testing

/// Text in lines: line breaks, positions and the drawn parts.
@Suite struct TextTests {
  let font = try! Font("Sans 12")

  @Test func `a text is drawn at its position`() throws {
    let picture = try drawn(100, 40) {
      #expect($0.draw(TextLayout("Hello", font: font), at: Point(x: 30, y: 10), color: .black))
    }
    let ink = try #require(picture.ink)
    #expect((30...34).contains(ink.columns.lowerBound))
    #expect(ink.rows.lowerBound > 10)
  }

  @Test func `lines break between words`() {
    let layout = TextLayout("one two three four five six", font: font, width: 80)
    let lines = layout.lines
    #expect(lines.count > 1)
    #expect(lines.map(\.text).joined() == layout.text)
    #expect(lines.dropLast().allSatisfy { $0.text.hasSuffix(" ") })
    #expect(lines.allSatisfy { $0.frame.size.width <= 80 && $0.frame.origin.x == 0 })
  }

  @Test(arguments: ["a\nb", "a\rb", "a\r\nb", "a\u{2029}b"])
  func `each paragraph starts a line`(text: String) {
    #expect(TextLayout(text, font: font).lines.map(\.text) == ["a", "b"])
  }

  @Test func `a line separator starts a line`() {
    #expect(TextLayout("a\u{2028}b", font: font).lines.count == 2)
  }

  @Test func `lines are below one another`() throws {
    let layout = TextLayout("one\n\ntwo\n", font: font, lineSpacing: 3)
    let lines = layout.lines
    #expect(lines.map(\.text) == ["one", "", "two", ""])
    #expect(lines[0].frame.origin == .zero)
    for (line, next) in zip(lines, lines.dropFirst()) {
      #expect(abs(next.frame.origin.y - line.frame.maxY - 3) < 1e-9)
      #expect(line.baseline > line.frame.origin.y && line.baseline < line.frame.maxY)
    }
    #expect(layout.size.height == lines.last?.frame.maxY)
    #expect(layout.size.width == lines.map(\.frame.maxX).max())
  }

  @Test func `an empty text is one empty line`() throws {
    let lines = TextLayout("", font: font).lines
    #expect(lines.map(\.text) == [""])
    #expect(lines[0].frame.size.width == 0)
    #expect(lines[0].frame.size.height > 0)
    let picture = try drawn(20, 20) {
      #expect($0.draw(TextLayout("", font: font), at: .zero, color: .black))
    }
    #expect(picture.ink == nil)
  }

  @Test func `the alignment distributes the free space`() {
    var layout = TextLayout("x", font: font, width: 100)
    let width = layout.lines[0].frame.size.width
    layout.alignment = .center
    #expect(abs(layout.lines[0].frame.origin.x - (100 - width) / 2) < 1e-9)
    layout.alignment = .trailing
    #expect(abs(layout.lines[0].frame.maxX - 100) < 1e-9)
  }

  @Test func `without a width the longest line is the width`() {
    let layout = TextLayout("long line\nx", font: font, alignment: .trailing)
    let lines = layout.lines
    #expect(lines[0].frame.origin.x == 0)
    #expect(abs(lines[1].frame.maxX - lines[0].frame.maxX) < 1e-9)
  }

  @Test func `justified lines fill the width`() {
    let text = "some words that are long enough to fill a few lines of it"
    let lines = TextLayout(text, font: font, width: 120, alignment: .justified).lines
    #expect(lines.count > 2)
    #expect(lines.dropLast().allSatisfy { abs($0.frame.size.width - 120) < 0.5 })
    #expect(lines.last!.frame.size.width < 119)
  }

  @Test func `right-to-left text starts at the right`() {
    let hebrew = TextLayout("שלום", font: font, width: 100)
    #expect(abs(hebrew.lines[0].frame.maxX - 100) < 1e-9)
    var trailing = hebrew
    trailing.alignment = .trailing
    #expect(trailing.lines[0].frame.origin.x == 0)
    let mixed = TextLayout("a long line of English\nשלום", font: font)
    #expect(abs(mixed.lines[1].frame.maxX - mixed.lines[0].frame.maxX) < 1e-9)
  }

  @Test(arguments: TextLayout.Truncation.allCases)
  func `a line limit omits the rest`(truncation: TextLayout.Truncation) {
    let text = "one two three four five six seven eight nine ten"
    let layout = TextLayout(
      text, font: font, width: 80, lineLimit: 2, truncation: truncation)
    let lines = layout.lines
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.frame.maxX <= 80 })
    // An ellipsis replaces the whole rest.
    #expect((lines.map(\.text).joined() == text) == (truncation != .none))
  }

  @Test func `an ellipsis is visible`() throws {
    func ink(_ layout: TextLayout) throws -> Picture {
      try drawn(100, 30) { $0.draw(layout, at: .zero, color: .black) }
    }
    let text = "some text that is too long for it"
    let none = try ink(
      TextLayout(text, font: font, width: 90, lineLimit: 1, truncation: .none))
    let end = try ink(TextLayout(text, font: font, width: 90, lineLimit: 1))
    let start = try ink(TextLayout(text, font: font, width: 90, lineLimit: 1, truncation: .start))
    #expect(Set([none, end, start]).count == 3)
  }

  @Test func `an omitted paragraph is shown as an ellipsis`() throws {
    let cut = TextLayout("one\ntwo", font: font, lineLimit: 1)
    let whole = TextLayout("one…", font: font)
    #expect(cut.lines.map(\.text) == ["one"])
    #expect(cut.size.width == whole.size.width)
    let none = TextLayout("one\ntwo", font: font, lineLimit: 1, truncation: .none)
    #expect(none.size.width == TextLayout("one", font: font).size.width)
  }

  @Test(arguments: [0, -1, .min]) func `a limit of zero lines leaves no line`(limit: Int) {
    #expect(TextLayout("text", font: font, lineLimit: limit).lines.isEmpty)
  }

  @Test func `a very long word is broken`() {
    let word = String(repeating: "w", count: 500)
    let lines = TextLayout(word, font: font, width: 100).lines
    #expect(lines.map(\.text).joined() == word)
    #expect(lines.allSatisfy { $0.frame.size.width <= 100 })
  }

  /// A paragraph that is laid out in pieces has the same line breaks as a whole one.
  @Test func `a long paragraph loses no word and has the usual line breaks`() {
    let words = (0..<3_000).map { "word\($0)" }.joined(separator: " ")
    let lines = TextLayout(words, font: font, width: 200).lines
    #expect(lines.map(\.text).joined() == words)
    #expect(lines.dropLast().allSatisfy { $0.text.hasSuffix(" ") })
    // No line is shorter than necessary: the first word of the next line would not have fitted.
    for (line, next) in zip(lines, lines.dropFirst()) {
      let word = String(next.text.prefix { $0 != " " })
      let wider = TextLayout(line.text + word, font: font).size.width
      #expect(wider > 200)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 0, 1e300])
  func `any width is accepted`(width: Double) throws {
    let layout = TextLayout("a few words", font: font, width: width)
    #expect(layout.lines.map(\.text).joined() == layout.text)
    _ = try drawn(20, 20) { #expect($0.draw(layout, at: .zero, color: .black)) }
  }

  @Test(arguments: [
    "\u{0}", "a\u{0}b", "\u{FFFD}", "\u{200B}", "e\u{301}\u{302}\u{303}", "🎉👩‍👩‍👧‍👦",
    "\u{E000}\u{10FFFF}", "\u{FEFF}",
    "\u{202E}reversed", "\t\ttabs", "क्षि", "مرحبا", "漢字", "\u{1}\u{7F}\u{85}",
    String(decoding: [0x61, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0x62], as: UTF8.self),
    String(repeating: "\u{301}", count: 5_000), String(repeating: "\u{202B}", count: 1_000),
  ])
  func `any text is accepted`(text: String) throws {
    for width in [nil, 30.0] {
      let layout = TextLayout(text, font: font, width: width)
      let picture = try drawn(60, 30) {
        #expect($0.draw(layout, at: .zero, color: .black))
      }
      let again = try drawn(60, 30) { $0.draw(layout, at: .zero, color: .black) }
      #expect(picture == again)
    }
  }

  @Test func `letters that no font has are drawn as boxes`() throws {
    let picture = try drawn(40, 40) {
      $0.draw(TextLayout("\u{10FFFE}", font: font), at: .zero, color: .black)
    }
    #expect(picture.ink != nil)
  }

  @Test(arguments: [Double.nan, .infinity])
  func `a text needs a finite position`(x: Double) throws {
    let canvas = try Canvas(size: Size(width: 10, height: 10))
    #expect(!canvas.draw(TextLayout("a", font: font), at: Point(x: x, y: 0), color: .black))
    #expect(throws: DrawingError.self) { try canvas.finish() }
  }

  @Test func `a text far outside the canvas is not visible`() throws {
    let picture = try drawn(10, 10) { canvas in
      for place in [1e5, -1e5, 1e9, -1e9, 1e200, -1e200] {
        #expect(
          canvas.draw(TextLayout("a", font: font), at: Point(x: place, y: 0), color: .black))
        #expect(
          canvas.draw(TextLayout("a", font: font), at: Point(x: 0, y: place), color: .black))
      }
    }
    #expect(picture.ink == nil)
  }
}
