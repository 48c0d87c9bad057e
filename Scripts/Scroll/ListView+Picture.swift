import AsyncRender

extension ListView {
  /// What is on the screen.
  func picture() throws(DrawingError) -> Picture {
    let rows = rows
    let size = PostDrawing.size
    let top = rows.first?.index ?? 0
    let canvas = try Canvas(
      size: Size(width: size.width, height: size.height * Double(max(rows.count, 1))),
      scale: PostDrawing.scale, isOpaque: true)
    for row in rows {
      guard let picture = row.layer.contents else { continue }
      canvas.draw(picture, at: Point(x: 0, y: size.height * Double(row.index - top)))
    }
    return try canvas.finish()
  }
}
