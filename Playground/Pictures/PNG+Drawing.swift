extension PNG {
  /// The picture as text for a terminal; each line ends with a newline.
  ///
  /// The picture keeps its proportions and fits in the window. A cell is assumed to be twice as high as wide unless the
  /// window gives its size. It is never more columns wide than pixels. Kitty shows it at its own size if it fits.
  /// Where it is transparent, the terminal's background is visible.
  ///
  /// - Throws: `PictureError` if the data is damaged.
  /// - Complexity: O(pixels).
  public func drawn(
    _ style: PictureStyle, in window: Window, on background: Background
  ) throws(PictureError) -> String {
    if style == .kitty {
      // The terminal would not report a damaged file, and would show nothing.
      _ = try pixels(width: 1, height: 1)
      return KittyGraphics(png: self, window: window).text
    }
    let (columns, rows) = window.cells(
      width: width, height: height, cell: Window.Cell(width: 1, height: 2))
    if style == .ascii {
      return Shades(raster: try pixels(width: columns, height: rows), background: background).text
    }
    // At the picture's own size, the last row of an odd number of rows has no row below it.
    let isOwnSize = columns == width && rows == (height + 1) / 2
    return HalfBlocks(
      raster: try pixels(width: columns, height: isOwnSize ? height : rows * 2),
      background: background, hasTrueColor: style == .blocks
    ).text
  }
}
