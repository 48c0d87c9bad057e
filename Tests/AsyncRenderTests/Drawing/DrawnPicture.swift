import AsyncRender

/// The picture that a closure draws on an empty canvas.
func drawn(
  _ width: Int, _ height: Int, scale: Double = 1, _ draw: (Canvas) -> Void
) throws -> Picture {
  let canvas = try Canvas(
    size: Size(width: Double(width), height: Double(height)), scale: scale)
  draw(canvas)
  return try canvas.finish()
}

extension Picture {
  /// The pixels, row by row.
  var rows: [[UInt32]] {
    withPixels { bytes in
      (0..<height).map { row in
        let row = bytes[row * bytesPerRow..<row * bytesPerRow + 4 * width]
        return Array(UnsafeRawBufferPointer(rebasing: row).bindMemory(to: UInt32.self))
      }
    }
  }

  /// The columns and rows that contain visible pixels, or nil if there are none.
  var ink: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    let rows = rows
    let inked = rows.indices.filter { rows[$0].contains { $0 != 0 } }
    guard let first = inked.first, let last = inked.last else { return nil }
    let columns = (0..<width).filter { column in inked.contains { rows[$0][column] != 0 } }
    return (columns.first!...columns.last!, first...last)
  }
}
