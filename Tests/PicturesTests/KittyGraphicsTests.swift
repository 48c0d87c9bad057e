import Foundation
import Pictures
import Testing

@Suite struct KittyGraphicsTests {
  /// Parses graphics commands as a terminal does.
  struct Received {
    /// The text before and after the commands.
    var around = ["", ""]
    var keys: [[String: String]] = []
    var payloads: [Substring] = []

    init(_ text: String) throws {
      var rest = text[...]
      let start = try #require(rest.firstRange(of: "\u{1B}_G"))
      around[0] = String(rest[..<start.lowerBound])
      rest = rest[start.lowerBound...]
      while rest.hasPrefix("\u{1B}_G") {
        let end = try #require(rest.firstRange(of: "\u{1B}\\"))
        let command = rest[..<end.lowerBound].dropFirst(3)
        let semicolon = try #require(command.firstIndex(of: ";"))
        var keys: [String: String] = [:]
        for pair in command[..<semicolon].split(separator: ",", omittingEmptySubsequences: false) {
          let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
          try #require(parts.count == 2 && keys[parts[0]] == nil)
          keys[parts[0]] = parts[1]
        }
        self.keys.append(keys)
        payloads.append(command[semicolon...].dropFirst())
        rest = rest[end.upperBound...]
      }
      around[1] = String(rest)
    }

    var data: Data? { Data(base64Encoded: payloads.joined()) }
  }

  /// A file of noise, which cannot be compressed well.
  static func noise(_ side: Int) throws -> Data {
    var state: UInt32 = 1
    return try MadePNG.data(
      (0..<side).map { _ in
        (0..<side).map { _ in
          state = state &* 1_664_525 &+ 1_013_904_223
          return 0xFF00_0000 | state >> 8
        }
      })
  }

  @Test func `a small picture is one command`() throws {
    let data = try MadePNG.data(width: 25, height: 15)
    let text = try PNG(data).drawn(.kitty, in: Window(columns: 80, rows: 24), on: .dark)
    #expect(
      text == "\u{1B}_Ga=T,f=100,q=2,C=1,c=3,r=1,m=0;\(data.base64EncodedString())\u{1B}\\\n")
  }

  @Test func `a large picture is split into chunks`() throws {
    let data = try Self.noise(100)
    let text = try PNG(data).drawn(.kitty, in: Window(columns: 80, rows: 24), on: .dark)
    let received = try Received(text)
    #expect(received.payloads.count > 5)
    #expect(received.payloads.allSatisfy { (1...4096).contains($0.count) })
    #expect(received.payloads.dropLast().allSatisfy { $0.count % 4 == 0 })
    #expect(received.data == data)
    #expect(
      received.keys.first
        == ["a": "T", "f": "100", "q": "2", "C": "1", "c": "10", "r": "5", "m": "1"])
    #expect(received.keys.dropFirst().dropLast().allSatisfy { $0 == ["m": "1"] })
    #expect(received.keys.last == ["m": "0"])
    // Space for five rows. At the end the cursor is below them.
    #expect(received.around == ["\n\n\n\n\u{1B}[4A", "\u{1B}[4B\n"])
  }

  @Test
  func `a picture that fits is shown at its own size if the size of a cell is known`() throws {
    let png = try PNG(MadePNG.data(width: 25, height: 15))
    var window = Window(columns: 80, rows: 24, cell: Window.Cell(width: 8, height: 14))
    let own = try Received(png.drawn(.kitty, in: window, on: .dark))
    #expect(own.keys == [["a": "T", "f": "100", "q": "2", "C": "1", "m": "0"]])
    #expect(own.around == ["\n\u{1B}[1A", "\u{1B}[1B\n"])

    window.columns = 2
    let reduced = try Received(png.drawn(.kitty, in: window, on: .dark))
    #expect(reduced.keys.first?["c"] == "2" && reduced.keys.first?["r"] == "1")
  }
}
