/// The part of a terminal that a picture can use, and the size of its cells.
public struct Window: Sendable, Hashable {
  public var columns: Int
  public var rows: Int
  /// The width and height of a cell in pixels; nil if the terminal does not report them.
  public var cell: Cell?

  public struct Cell: Sendable, Hashable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// - Precondition: there is at least one column and one row.
  public init(columns: Int, rows: Int, cell: Cell? = nil) {
    precondition(columns > 0 && rows > 0)
    self.columns = columns
    self.rows = rows
    self.cell = cell
  }

  /// The number of columns and rows for a picture with this size in pixels, if a cell has the given size in pixels. A
  /// picture that is too large is reduced to fit, in the same proportions. A smaller picture is not enlarged.
  func cells(width: Int, height: Int, cell: Cell) -> (columns: Int, rows: Int) {
    // The scale as a fraction: 1, or less if the window is too narrow or too low.
    var (part, whole) = (1, 1)
    for (room, size) in [(columns * cell.width, width), (rows * cell.height, height)]
    where room * whole < part * size {
      (part, whole) = (room, size)
    }
    func cells(_ size: Int, _ cellSize: Int) -> Int {
      let unit = whole * cellSize
      // Rounds to the nearest if the picture is reduced. At its own size it rounds up, so that nothing is truncated.
      let rounding = part == whole ? unit - 1 : unit / 2
      return max((size * part + rounding) / unit, 1)
    }
    return (
      min(cells(width, cell.width), columns), min(cells(height, cell.height), rows)
    )
  }
}
