import AsyncRender

extension ListView {
  /// The contents of the screen: the layers of each row on top of each other, each with its opacity.
  func picture() throws(DrawingError) -> Picture {
    let rows = rows
    let size = PostDrawing.size
    let top = rows.first?.index ?? 0
    let canvas = try Canvas(
      size: Size(width: size.width, height: size.height * Double(max(rows.count, 1))),
      scale: PostDrawing.scale, isOpaque: true)
    for row in rows {
      for (layer, origin) in row.layers {
        guard let picture = layer.contents else { continue }
        let place = Point(x: origin.x, y: origin.y + size.height * Double(row.index - top))
        canvas.draw(picture, at: place, opacity: layer.opacity)
      }
    }
    return try canvas.finish()
  }
}
