extension PNG {
  /// The picture as text for a terminal; each line ends with a newline.
  ///
  /// The picture keeps its proportions and fits in the window. A cell is assumed to be twice as high as wide; only
  /// Kitty uses the cell size that the window gives. The picture has at most one column for each pixel of its width.
  /// Kitty shows it at its own size if it fits. Where it is transparent, the terminal's background is visible.
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
    // At its own size, a picture with an odd number of pixel rows has no pixels for the lower half of its last line.
    let isOwnSize = columns == width && rows == (height + 1) / 2
    return HalfBlocks(
      raster: try pixels(width: columns, height: isOwnSize ? height : rows * 2),
      background: background, hasTrueColor: style == .blocks
    ).text
  }
}
