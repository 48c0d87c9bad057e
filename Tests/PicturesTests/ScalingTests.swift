import Testing

@testable import Pictures

@Suite struct ScalingTests {
  @Test func smallerIsTheMeanOfWhatIsCovered() {
    let raster = Raster(
      width: 3, height: 2,
      pixels: [
        0xFF00_0000, 0xFFFF_0000, 0xFF00_00FF,
        0xFF00_0000, 0x0303_0000, 0xFF00_00FF,
      ])
    #expect(raster.scaled(width: 3, height: 1).pixels == [0xFF00_0000, 0x8181_0000, 0xFF00_00FF])
    // The middle column is half of the first and half of the second.
    let mean: [UInt32] = [0xD52B_0000, 0xD52B_00AA]
    #expect(raster.scaled(width: 2, height: 1).pixels == mean)
  }

  @Test func largerIsMadeOfSquares() {
    let raster = Raster(width: 2, height: 1, pixels: [0xFF01_0203, 0x8010_2030])
    #expect(
      raster.scaled(width: 4, height: 2).pixels
        == [0xFF01_0203, 0xFF01_0203, 0x8010_2030, 0x8010_2030]
        + [0xFF01_0203, 0xFF01_0203, 0x8010_2030, 0x8010_2030])
  }

  @Test(arguments: [(1, 1), (2, 9), (100, 1), (7, 7), (13, 64)])
  func oneColourStaysThatColour(_ width: Int, _ height: Int) {
    let raster = Raster(
      width: 13, height: 7, pixels: [UInt32](repeating: 0xC912_3456, count: 91))
    #expect(
      raster.scaled(width: width, height: height).pixels
        == [UInt32](repeating: 0xC912_3456, count: width * height))
  }

  /// The picture's pixels, the window's cells, and what it takes of them.
  @Test(arguments: [
    ((300, 200), (100, 40), (100, 33)), ((200, 300), (100, 40), (53, 40)),
    ((16, 16), (100, 40), (16, 8)), ((1, 1), (100, 40), (1, 1)), ((100, 80), (100, 40), (100, 40)),
    ((32767, 1), (80, 24), (80, 1)), ((1, 32767), (80, 24), (1, 24)), ((4, 3), (1, 1), (1, 1)),
    ((3, 9), (100, 40), (3, 5)),
  ])
  func itFitsInItsProportions(
    _ picture: (Int, Int), _ window: (Int, Int), _ taken: (Int, Int)
  ) {
    let cells = Window(columns: window.0, rows: window.1).cells(
      width: picture.0, height: picture.1, cell: Window.Cell(width: 1, height: 2))
    #expect(cells == taken)
  }

  @Test func itNeverExceedsTheWindow() {
    for columns in 1...12 {
      for rows in 1...12 {
        let window = Window(columns: columns, rows: rows)
        for width in 1...25 {
          for height in 1...25 {
            let cells = window.cells(
              width: width, height: height, cell: Window.Cell(width: 1, height: 2))
            #expect((1...columns).contains(cells.columns) && (1...rows).contains(cells.rows))
            #expect(cells.columns <= width && cells.rows <= (height + 1) / 2)
          }
        }
      }
    }
  }
}
