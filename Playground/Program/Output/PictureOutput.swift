import Foundation
import Pictures

/// How pictures are drawn here, and how large they may be.
struct PictureOutput {
  let style: PictureStyle
  var window: Window
  let background: Background

  /// Nil if no pictures are drawn: with `--json`, if they are off, or if they are automatic and there is no terminal.
  ///
  /// - Parameter width: the width of the output, in columns.
  init?(
    _ settings: Settings, environment: [String: String], isUnicode: Bool, width: Int, isJSON: Bool
  ) {
    guard !isJSON else { return nil }
    let terminal = Self.terminal
    switch settings.pictures {
    case .off: return nil
    case .style(let chosen): style = chosen
    case .auto:
      guard terminal != nil else { return nil }
      style = PictureStyle(
        environment: environment, isUnicode: isUnicode, hasColor: !settings.refusesColor)
    }
    background = Background(environment: environment)
    // The height leaves room for the timeline above and for the output below.
    let columns = min(terminal?.columns ?? width, width)
    window = Window(
      columns: columns, rows: max((terminal?.rows ?? 60) * 2 / 3, 1), cell: terminal?.cell)
  }

  /// The window of the terminal that standard output goes to. Nil if standard output is not a terminal.
  private static var terminal: Window? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    // A terminal of unknown size gets the customary 80 by 24 of the VT100.
    var window = Window(
      columns: size.ws_col > 0 ? Int(size.ws_col) : 80,
      rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    let width = Int(size.ws_xpixel) / window.columns
    let height = Int(size.ws_ypixel) / window.rows
    if width > 0, height > 0 { window.cell = Window.Cell(width: width, height: height) }
    return window
  }
}
