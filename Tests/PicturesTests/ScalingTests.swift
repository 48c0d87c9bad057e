import Testing

@testable import Pictures

@Suite struct ScalingTests {
  @Test func `a smaller pixel is the mean of the pixels that it covers`() throws {
    let png = try PNG(
      MadePNG.data([
        [0xFF00_0000, 0xFFFF_0000, 0xFF00_00FF, 0xFF00_00FF],
        [0xFF00_0000, 0xFF01_0000, 0, 0],
      ]))
    let mean: [UInt32] = [0xFF40_0000, 0x8000_0080]
    for (pixel, exact) in zip(try png.pixels(width: 2, height: 1).pixels, mean) {
      for shift in [24, 16, 8, 0] {
        let difference = Int(pixel >> shift & 0xFF) - Int(exact >> shift & 0xFF)
        #expect(abs(difference) <= 2, "\(String(pixel, radix: 16))")
      }
    }
  }

  @Test(arguments: [(1, 1), (2, 9), (100, 1), (7, 7), (13, 64)])
  func `a picture of one colour keeps that colour`(_ width: Int, _ height: Int) throws {
    let png = try PNG(MadePNG.data(width: 50, height: 80, 0xFF12_3456))
    #expect(
      try png.pixels(width: width, height: height).pixels
        == [UInt32](repeating: 0xFF12_3456, count: width * height))
  }

  @Test func `every part of a wide picture is visible`() throws {
    let row =
      [UInt32](repeating: 0xFFFF_FFFF, count: 5000) + .init(repeating: 0xFF00_0000, count: 5000)
    let pixels = try PNG(MadePNG.data([row])).pixels(width: 10, height: 1).pixels
    #expect(
      pixels == .init(repeating: 0xFFFF_FFFF, count: 5) + .init(repeating: 0xFF00_0000, count: 5))
  }

  /// The pixels of the picture, the cells of the window, and the cells that the picture takes.
  @Test(arguments: [
    ((300, 200), (100, 40), (100, 33)), ((200, 300), (100, 40), (53, 40)),
    ((16, 16), (100, 40), (16, 8)), ((1, 1), (100, 40), (1, 1)), ((100, 80), (100, 40), (100, 40)),
    ((32767, 1), (80, 24), (80, 1)), ((1, 32767), (80, 24), (1, 24)), ((4, 3), (1, 1), (1, 1)),
    ((3, 9), (100, 40), (3, 5)),
  ])
  func `a picture fits the window in its proportions`(
    _ picture: (Int, Int), _ window: (Int, Int), _ taken: (Int, Int)
  ) {
    let cells = Window(columns: window.0, rows: window.1).cells(
      width: picture.0, height: picture.1, cell: Window.Cell(width: 1, height: 2))
    #expect(cells == taken)
  }

  @Test func `a picture never exceeds the window`() {
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
