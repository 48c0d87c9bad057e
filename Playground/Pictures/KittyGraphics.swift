#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A picture in kitty's terminal graphics protocol, https://sw.kovidgoyal.net/kitty/graphics-protocol.
///
/// The file is sent to the terminal unchanged, and the terminal scales it.
struct KittyGraphics {
  /// The maximum payload of an escape sequence in the protocol.
  static let chunkSize = 4096
  /// A typical cell, used if the terminal does not report its cell size.
  private static let usualCell = Window.Cell(width: 10, height: 20)

  let png: PNG
  let window: Window

  var text: String {
    let (columns, rows) = window.cells(
      width: png.width, height: png.height, cell: window.cell ?? Self.usualCell)
    // The terminal sends no replies (q=2), which would mix with the user's input. The cursor does not move (C=1).
    let keys = "a=T,f=100,q=2,C=1" + (hasOwnSize ? "" : ",c=\(columns),r=\(rows)")
    // A picture does not scroll the screen, so empty lines are written first to make room for it.
    let room = rows - 1
    let up = room > 0 ? String(repeating: "\n", count: room) + "\u{1B}[\(room)A" : ""
    let down = room > 0 ? "\u{1B}[\(room)B" : ""
    return up + commands(keys) + down + "\n"
  }

  /// Whether the picture is known to fit in the window at its own size.
  private var hasOwnSize: Bool {
    guard let cell = window.cell else { return false }
    return png.width <= window.columns * cell.width && png.height <= window.rows * cell.height
  }

  private func commands(_ keys: String) -> String {
    let encoded = Array(png.data.base64EncodedString().utf8)
    var text = ""
    for start in stride(from: 0, to: encoded.count, by: Self.chunkSize) {
      let end = min(start + Self.chunkSize, encoded.count)
      let first = start == 0 ? keys + "," : ""
      let more = end < encoded.count ? 1 : 0
      text += "\u{1B}_G\(first)m=\(more);"
      text += String(decoding: encoded[start..<end], as: UTF8.self)
      text += "\u{1B}\\"
    }
    return text
  }
}
