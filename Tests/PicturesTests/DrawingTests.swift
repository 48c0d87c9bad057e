import Foundation
import Pictures
import Testing

@Suite struct DrawingTests {
  static let window = Window(columns: 80, rows: 24)

  static func drawn(
    _ rows: [[UInt32]], _ style: PictureStyle, in window: Window = window,
    on background: Background = .init(environment: [:])
  ) throws -> String {
    try PNG(MadePNG.data(rows)).drawn(style, in: window, on: background)
  }

  static let red: UInt32 = 0xFFFF_0000
  static let blue: UInt32 = 0xFF00_00FF
  static let clear: UInt32 = 0

  @Test func `half blocks are drawn in true colour`() throws {
    #expect(
      try Self.drawn([[Self.red, Self.red], [Self.blue, Self.red]], .blocks)
        == "\u{1B}[48;2;0;0;255m\u{1B}[38;2;255;0;0m▀\u{1B}[48;2;255;0;0m▀\u{1B}[0m\n")
  }

  @Test func `half blocks are drawn in 256 colours`() throws {
    #expect(
      try Self.drawn([[Self.red, 0xFF80_8080], [Self.blue, 0xFF5F_87AF]], .colors)
        == "\u{1B}[48;5;21m\u{1B}[38;5;196m▀\u{1B}[48;5;67m\u{1B}[38;5;244m▀\u{1B}[0m\n")
  }

  @Test func `transparent pixels show the terminal`() throws {
    let rows = [
      [Self.clear, Self.red, Self.clear, Self.red, Self.clear],
      [Self.clear, Self.red, Self.red, Self.clear, Self.clear],
      [Self.clear, Self.clear, Self.clear, Self.clear, Self.clear],
    ]
    let red = "2;255;0;0m"
    #expect(
      try Self.drawn(rows, .blocks)
        == " \u{1B}[48;\(red)\u{1B}[38;\(red)▀\u{1B}[49m▄▀\u{1B}[0m\n\n")
    #expect(try Self.drawn(rows, .ascii).contains("\u{1B}") == false)
  }

  @Test func `translucent pixels are blended with the background colour`() throws {
    let half = [[UInt32(0x8080_0000)]]
    #expect(try Self.drawn(half, .blocks) == "\u{1B}[38;2;128;0;0m▀\u{1B}[0m\n")
    #expect(
      try Self.drawn(half, .blocks, on: Background(environment: ["COLORFGBG": "0;15"]))
        == "\u{1B}[38;2;255;127;127m▀\u{1B}[0m\n")
  }

  @Test func `ASCII characters show shades, even on a light background`() throws {
    let greys = (0..<10).map { UInt32(0xFF00_0000) | (0x1_0101 * UInt32($0 * 28)) }
    #expect(try Self.drawn([greys, greys], .ascii) == " .:-=+*#%@\n")
    #expect(
      try Self.drawn(
        [greys, greys], .ascii, on: Background(environment: ["COLORFGBG": "0;default;15"]))
        == "@%#*+=-:.\n")
    #expect(try Self.drawn([[Self.clear, 0xFFFF_FFFF, Self.clear]], .ascii) == " @\n")
  }

  @Test(arguments: [PictureStyle.blocks, .colors, .ascii])
  func `a large picture fills the window and no more`(_ style: PictureStyle) throws {
    let png = try PNG(MadePNG.data(width: 400, height: 300, 0xFFFF_FFFF))
    let drawn = try png.drawn(style, in: Window(columns: 20, rows: 24), on: .dark)
    let lines = drawn.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n")
    #expect(lines.map(\.count) == [Int](repeating: 20, count: 8))
  }

  @Test func `a damaged file is not drawn`() throws {
    let png = try PNG(MadePNG.data(width: 9, height: 9).dropLast(4))
    for style in PictureStyle.allCases {
      #expect(throws: PictureError.self) { try png.drawn(style, in: Self.window, on: .dark) }
    }
  }

  @Test(arguments: [
    (["TERM": "xterm-kitty"], .kitty), (["TERM": "xterm", "KITTY_WINDOW_ID": "3"], .kitty),
    (["TERM": "xterm-ghostty", "COLORTERM": "truecolor"], .kitty),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .kitty),
    (["TERM": "xterm-256color", "KONSOLE_VERSION": "240801"], .kitty),
    (
      ["TERM": "xterm-256color", "KONSOLE_VERSION": "211202", "COLORTERM": "truecolor"],
      PictureStyle.blocks
    ),
    (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "3", "COLORTERM": "truecolor"], .blocks),
    (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"], .colors),
    (["TERM": "xterm", "COLORTERM": "24bit"], .blocks), (["TERM": "xterm-direct"], .blocks),
    (["TERM": "xterm-256color"], .colors), (["TERM": "linux"], .colors),
    (["TERM": "dumb", "COLORTERM": "truecolor"], .ascii), (["TERM": "vt220"], .ascii),
    ([:], .ascii),
  ])
  func `the environment decides the style`(_ environment: [String: String], _ style: PictureStyle) {
    #expect(PictureStyle(environment: environment, isUnicode: true, hasColor: true) == style)
    #expect(PictureStyle(environment: environment, isUnicode: false, hasColor: true) == .ascii)
    #expect(PictureStyle(environment: environment, isUnicode: true, hasColor: false) == .ascii)
  }
}
