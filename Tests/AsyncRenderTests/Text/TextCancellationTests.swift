import AsyncRender
import Testing

/// A cancelled text drawing stops within one line. The tests count lines, not time.
@Suite struct TextCancellationTests {
  let font = try! Font("Sans 8")

  /// With one line below the other, a drawing that is cancelled after some lines has drawn exactly those.
  @Test(arguments: [0, 1, 2, 7, 19])
  func `a cancelled drawing stops before the next line`(asked: Int) throws {
    let text = Array(repeating: "line", count: 20).joined(separator: "\n")
    let layout = TextLayout(text, font: font)
    let lines = layout.lines
    var answers = 0
    let picture = try drawn(60, Int(layout.size.height) + 1) { canvas in
      let isWhole = canvas.draw(layout, at: .zero, color: .black) {
        defer { answers += 1 }
        // Each line asks twice here: before its paragraph is laid out, and before it is drawn.
        return answers == 2 * asked
      }
      #expect(!isWhole)
    }
    #expect(answers == 2 * asked + 1)
    #expect(inkedLines(of: picture, lines) == asked)
  }

  @Test func `a cancelled drawing stops between the lines of one paragraph`() throws {
    let text = Array(repeating: "some words in a row", count: 100).joined(separator: " ")
    let layout = TextLayout(text, font: font, width: 60)
    let lines = layout.lines
    #expect(lines.count > 100)
    var answers = 0
    let picture = try drawn(60, 2_000) { canvas in
      let isWhole = canvas.draw(layout, at: .zero, color: .black) {
        answers += 1
        return answers == 12
      }
      #expect(!isWhole)
    }
    // One of the questions was for the layout.
    #expect(inkedLines(of: picture, lines) == 10)
  }

  @Test func `a text that is not cancelled is drawn completely`() throws {
    let layout = TextLayout("one\ntwo", font: font)
    _ = try drawn(60, 60) { canvas in
      #expect(canvas.draw(layout, at: .zero, color: .black) { false })
    }
  }

  @Test func `measuring can be cancelled too`() {
    let text = Array(repeating: "line", count: 1_000).joined(separator: "\n")
    var answers = 0
    let lines = TextLayout(text, font: font).lines {
      answers += 1
      return answers > 10
    }
    #expect(lines == nil)
    #expect(answers == 11)
  }

  @Test func `ten thousand lines are drawn`() throws {
    let text = (0..<10_000).map { "line \($0)" }.joined(separator: "\n")
    let layout = TextLayout(text, font: try Font("Sans 1"))
    let lines = layout.lines
    #expect(lines.count == 10_000)
    #expect(lines.last?.text == "line 9999")
    let height = lines.last!.frame.maxY
    var answers = 0
    let picture = try drawn(20, Int(height) + 1) { canvas in
      let isWhole = canvas.draw(layout, at: .zero, color: .black) {
        answers += 1
        return false
      }
      #expect(isWhole)
    }
    #expect(answers == 20_000)
    let ink = try #require(picture.ink)
    #expect(Double(ink.rows.upperBound) > height - 3)
  }

  /// Lines far below the visible area are not laid out.
  @Test func `lines below the visible area are not laid out`() throws {
    let text = (0..<10_000).map { "line \($0)" }.joined(separator: "\n")
    let layout = TextLayout(text, font: font)
    var answers = 0
    let picture = try drawn(60, 60) { canvas in
      #expect(
        canvas.draw(layout, at: .zero, color: .black) {
          answers += 1
          return false
        })
    }
    #expect(answers < 40)
    let cut = TextLayout(text.prefix(120).description, font: font)
    #expect(try drawn(60, 60) { $0.draw(cut, at: .zero, color: .black) } == picture)
  }

  /// The closure that is asked may draw text itself on the same thread.
  @Test func `the cancellation check may draw text`() throws {
    let layout = TextLayout("one\ntwo\nthree", font: font)
    let plain = try drawn(60, 60) { $0.draw(layout, at: .zero, color: .black) }
    let large = TextLayout("another text", font: try Font("Serif 20"))
    let disturbed = try drawn(60, 60) { canvas in
      canvas.draw(layout, at: .zero, color: .black) {
        let other = try? drawn(60, 60) { $0.draw(large, at: .zero, color: .black) }
        return other?.ink == nil
      }
    }
    #expect(disturbed == plain)
  }

  /// The number of lines that have visible pixels.
  private func inkedLines(of picture: Picture, _ lines: [TextLine]) -> Int {
    let rows = picture.rows
    return lines.count { line in
      // Letters stand on the baseline and are at least a few pixels high.
      let row = Int(line.baseline) - 2
      return rows.indices.contains(row) && rows[row].contains { $0 != 0 }
    }
  }
}
