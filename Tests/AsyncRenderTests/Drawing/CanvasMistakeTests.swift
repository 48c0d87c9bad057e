import AsyncRender
import PatternTesting
import Testing

/// A canvas or a drawing that is impossible gives a clear error. Nothing crashes, and nothing is drawn partially.
@Suite struct CanvasMistakeTests {
  private static let strange = [
    0.0, -1, -0.0, .nan, .infinity, -.infinity, 32_768, 1e300, -1e300, .greatestFiniteMagnitude,
  ]

  @Test(arguments: strange, [1.0, 2])
  func `a canvas needs a size within the limits`(side: Double, scale: Double) {
    for size in [Size(width: side, height: 10), Size(width: 10, height: side)] {
      let error = #expect(throws: DrawingError.self) { try Canvas(size: size, scale: scale) }
      #expect(error?.description.contains("each side must have 1 to 32767 pixels") == true)
    }
  }

  @Test(arguments: [0.0, -1, .nan, .infinity, 1e-300, 1e300])
  func `a canvas needs a positive, finite scale`(scale: Double) throws {
    #expect(throws: DrawingError.self) {
      try Canvas(size: Size(width: 10, height: 10), scale: scale)
    }
  }

  @Test func `a canvas has a limited number of pixels`() throws {
    let error = #expect(throws: DrawingError.self) {
      try Canvas(size: Size(width: 32_767, height: 32_767))
    }
    #expect(error?.description.contains("the limit is 67108864 pixels") == true)
    let long = try Canvas(size: Size(width: 32_767, height: 1))
    long.fill(with: .color(.black))
    #expect(try long.finish()[32_766, 0] == 0xFF00_0000)
  }

  @Test func `the first mistake is reported`() throws {
    let canvas = try Canvas(size: Size(width: 10, height: 10))
    #expect(canvas.error == nil)
    canvas.fill(Rect(x: .nan, y: 0, width: 1, height: 1), with: .color(.black))
    canvas.rotate(.infinity)
    let error = #expect(throws: DrawingError.self) { try canvas.finish() }
    #expect(
      error?.description == "a path cannot have a point that is not a finite number: (nan, 0.0)")
    #expect(canvas.error == error)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `numbers that are not finite are an error`(number: Double) throws {
    let picture = try drawn(1, 1) { _ in }
    let rect = Rect(x: 0, y: 0, width: number, height: 1)
    let point = Point(x: number, y: 0)
    let gradient = Gradient(.black, .white)
    let path = Path(Rect(x: 0, y: 0, width: 1, height: 1))
    let mistakes: [(Canvas) -> Void] = [
      { $0.translate(x: number, y: 0) }, { $0.scale(x: 1, y: number) }, { $0.rotate(number) },
      { $0.clip(to: rect) }, { $0.fill(rect, with: .color(.black)) },
      { $0.stroke(path, with: .color(.black), width: number) },
      { $0.stroke(path, with: .color(.black), dash: [1, number]) },
      { $0.stroke(path, with: .color(.black), dash: [1], dashOffset: number) },
      { $0.fill(with: .linear(gradient, from: .zero, to: point)) },
      { $0.fill(with: .radial(gradient, center: point, radius: 1)) },
      { $0.fill(with: .radial(gradient, center: .zero, radius: number)) },
      { $0.draw(picture, in: rect) }, { $0.draw(picture, at: point) },
      { $0.fill(Path(circleAt: .zero, radius: number), with: .color(.black)) },
      { $0.fill(Path(roundedRect: rect, radius: 1), with: .color(.black)) },
      {
        var path = Path()
        path.addArc(center: point, radius: 1, from: 0, to: 1)
        $0.fill(path, with: .color(.black))
      },
    ]
    for (index, mistake) in mistakes.enumerated() {
      let canvas = try Canvas(size: Size(width: 4, height: 4))
      mistake(canvas)
      #expect(canvas.error != nil, "mistake \(index)")
      #expect(throws: DrawingError.self) { try canvas.finish() }
    }
  }

  @Test(arguments: [[-1.0], [0], [0, 0], Array(repeating: 1, count: 1_001)])
  func `dashes need positive lengths and a limited number`(dash: [Double]) throws {
    let canvas = try Canvas(size: Size(width: 4, height: 4))
    canvas.stroke(
      Path(Rect(x: 0, y: 0, width: 1, height: 1)), with: .color(.black), dash: dash)
    #expect(throws: DrawingError.self) { try canvas.finish() }
  }

  @Test func `an invalid angle in an arc is an error`() throws {
    var path = Path()
    path.addArc(center: .zero, radius: 1, from: 0, to: .nan)
    let canvas = try Canvas(size: Size(width: 4, height: 4))
    canvas.fill(path, with: .color(.black))
    #expect(canvas.error != nil)
  }

  @Test func `invalid colours become the nearest valid ones`() throws {
    let picture = try drawn(2, 1) { canvas in
      canvas.fill(
        Rect(x: 0, y: 0, width: 1, height: 1),
        with: .color(Color(red: .nan, green: -3, blue: .infinity)))
      canvas.fill(
        Rect(x: 1, y: 0, width: 1, height: 1), with: .color(Color(gray: 1, alpha: .nan)))
    }
    #expect(picture.rows == [[0xFF00_00FF, 0]])
  }

  /// Cairo's coordinates are 32-bit numbers of 256ths of a pixel. Beyond that range an edge would reappear on the other
  /// side.
  @Test(arguments: [1e7, 1e12, 1e100, 1e300, .greatestFiniteMagnitude])
  func `large shapes are drawn where they are visible`(far: Double) throws {
    let half = try drawn(8, 8) { canvas in
      canvas.fill(Rect(x: 4, y: -far / 2, width: far, height: far), with: .color(.black))
    }
    let near = try drawn(8, 8) { canvas in
      canvas.fill(Rect(x: 4, y: 0, width: 4, height: 8), with: .color(.black))
    }
    #expect(half == near)
    let away = try drawn(8, 8) { canvas in
      canvas.fill(Rect(x: far, y: 0, width: 10, height: 10), with: .color(.black))
      canvas.translate(x: -far, y: far)
      canvas.fill(Path(circleAt: .zero, radius: 10), with: .color(.black))
      canvas.stroke(Path(circleAt: .zero, radius: 10), with: .color(.black), width: 5)
    }
    #expect(away.ink == nil)
    let line = try drawn(8, 8) { canvas in
      var path = Path()
      path.move(to: Point(x: 0, y: 4))
      path.line(to: Point(x: 8, y: 4))
      canvas.stroke(path, with: .color(.black), width: far)
    }
    #expect(line.rows.joined().allSatisfy { $0 == 0xFF00_0000 })
  }

  @Test func `transforms that overflow are an error`() throws {
    let canvas = try Canvas(size: Size(width: 4, height: 4))
    for _ in 0..<10 { canvas.scale(1e200) }
    canvas.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .color(.black))
    #expect(throws: DrawingError.self) { try canvas.finish() }
    let small = try Canvas(size: Size(width: 4, height: 4))
    for _ in 0..<10 { small.scale(1e-200) }
    small.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .color(.black))
    #expect(throws: DrawingError.self) { try small.finish() }
  }

  /// Runs in its own process, so that it does not measure other tests.
  @Test func `drawing after an error takes no memory`() async {
    await #expect(processExitsWith: .success) {
      let stamp = try drawn(4, 4) { $0.fill(with: .color(.black)) }
      let canvas = try Canvas(size: Size(width: 4, height: 4))
      for _ in 0..<10 { canvas.scale(1e200) }
      let path = Path(Rect(x: 0, y: 0, width: 1, height: 1))
      let paint = Paint.linear(
        Gradient(.black, .white), from: .zero, to: Point(x: 0, y: 1))
      func draw(_ count: Int) {
        for _ in 0..<count {
          canvas.fill(path, with: paint)
          canvas.draw(stamp, at: .zero)
        }
      }
      draw(1_000)
      let before = usedBytes
      draw(20_000)
      // A leak of 160 bytes in each of the two calls would be six million bytes.
      guard usedBytes - before < 2 << 20 else { throw Grown(bytes: usedBytes - before) }
    }
  }

  private struct Grown: Error { let bytes: Int }

  @Test func `a canvas can be finished only once`() throws {
    let canvas = try Canvas(size: Size(width: 2, height: 2))
    let picture = try canvas.finish()
    canvas.fill(with: .color(.black))
    canvas.withCairo { _ in canvas.fill(with: .color(.black)) }
    #expect(picture.ink == nil)
    let error = #expect(throws: DrawingError.self) { try canvas.finish() }
    #expect(error?.description.contains("finished") == true)
  }

  @Test func `a canvas cannot be finished while its state is saved`() throws {
    let canvas = try Canvas(size: Size(width: 2, height: 2))
    canvas.saved {
      #expect(throws: DrawingError.self) { try canvas.finish() }
    }
    canvas.withCairo { _ in
      #expect(throws: DrawingError.self) { try canvas.finish() }
    }
    #expect(throws: Never.self) { try canvas.finish() }
  }

  @Test func `the state is restored after an error`() throws {
    struct Interruption: Error {}
    let picture = try drawn(2, 1) { canvas in
      #expect(throws: Interruption.self) {
        try canvas.saved {
          canvas.translate(x: 1, y: 0)
          throw Interruption()
        }
      }
      canvas.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .color(.black))
    }
    #expect(picture.rows == [[0xFF00_0000, 0]])
  }

  @Test(arguments: [
    ("Sans", "has no size"), ("", "has no size"), ("Sans 0", "has no size"),
    ("Sans -4", "has no size"),
    ("Sans 1e9", "has no size"), ("Sans 100000", "use at most 2000"), ("Sans\u{0} 12", "no"),
    ("Sans nan", "has no size"), ("Sans inf", "has no size"),
  ])
  func `a font needs a size within the limits`(description: String, part: String) {
    let error = #expect(throws: DrawingError.self) { try Font(description) }
    #expect(error?.description.contains(part) == true, "\(error as Any)")
  }

  @Test func `a font is read as Pango reads it`() throws {
    #expect(try Font("sans   bold 12").description == "sans Bold 12")
    #expect(try Font("Sans 12") == Font("Sans  12"))
    #expect(try Font("Sans 12").size == 16)
    #expect(try Font("Sans 12px").size == 12)
  }

  @Test func `a colour is written as in style sheets`() throws {
    #expect(try Color("#ff0000") == Color(red: 1, green: 0, blue: 0))
    #expect(try Color("#f00") == Color(red: 1, green: 0, blue: 0))
    #expect(try Color("red") == Color(red: 1, green: 0, blue: 0))
    #expect(try Color("#ff000080").alpha.rounded(toPlaces: 3) == 0.502)
    for text in ["", "#", "#12", "#gggggg", "bleu", "red\u{0}", "ff0000"] {
      let error = #expect(throws: DrawingError.self) { try Color(text) }
      #expect(error?.description.contains("is not a colour") == true, "\(text)")
    }
  }
}

extension Double {
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
    return (self * unit).rounded() / unit
  }
}
