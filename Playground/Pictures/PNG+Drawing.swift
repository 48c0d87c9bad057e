extension PNG {
  /// The picture as text for a terminal: lines that each end with a newline.
  ///
  /// It keeps its proportions, where a cell is twice as high as wide unless the window says otherwise,
  /// fits in the window, and is never larger than a pixel a cell across; kitty shows it in its own size
  /// if it fits. Where it is transparent the terminal's background shows.
  ///
  /// - Throws: `PictureError` if the data is damaged.
  /// - Complexity: O(pixels).
  public func drawn(
    _ style: PictureStyle, in window: Window, on background: Background
  ) throws(PictureError) -> String {
    if style == .kitty {
      // The terminal would keep quiet about a damaged file, and show nothing.
      _ = try pixels(width: 1, height: 1)
      return KittyGraphics(png: self, window: window).text
    }
    let (columns, rows) = window.cells(
      width: width, height: height, cell: Window.Cell(width: 1, height: 2))
    if style == .ascii {
      return Shades(raster: try pixels(width: columns, height: rows), background: background).text
    }
    // At its own size, the last of an odd number of rows has nothing below it.
    let isOwnSize = columns == width && rows == (height + 1) / 2
    return HalfBlocks(
      raster: try pixels(width: columns, height: isOwnSize ? height : rows * 2),
      background: background, hasTrueColor: style == .blocks
    ).text
  }
}
