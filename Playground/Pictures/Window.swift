/// The part of a terminal that a picture may take, and how large its cells are.
public struct Window: Sendable, Hashable {
  public var columns: Int
  public var rows: Int
  /// The width and height of a cell in pixels; nil if the terminal does not tell.
  public var cell: Cell?

  public struct Cell: Sendable, Hashable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// - Precondition: there is a column and a row.
  public init(columns: Int, rows: Int, cell: Cell? = nil) {
    precondition(columns > 0 && rows > 0)
    self.columns = columns
    self.rows = rows
    self.cell = cell
  }

  /// How many columns and rows something of so many pixels takes where a cell has so many of them: less
  /// than that if it has to fit, in the same proportions, but never more.
  func cells(width: Int, height: Int, cell: Cell) -> (columns: Int, rows: Int) {
    // The smaller of 1 and what would fill the window one way or the other, as a fraction.
    var (part, whole) = (1, 1)
    for (room, size) in [(columns * cell.width, width), (rows * cell.height, height)]
    where room * whole < part * size {
      (part, whole) = (room, size)
    }
    func cells(_ size: Int, _ cellSize: Int) -> Int {
      let unit = whole * cellSize
      // To the nearest when it is made smaller; at its own size nothing may be cut off.
      let rounding = part == whole ? unit - 1 : unit / 2
      return max((size * part + rounding) / unit, 1)
    }
    return (
      min(cells(width, cell.width), columns), min(cells(height, cell.height), rows)
    )
  }
}
