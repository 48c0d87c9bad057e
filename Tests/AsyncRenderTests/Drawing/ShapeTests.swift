import AsyncRender
import Testing

/// The individual pixels of shapes.
@Suite struct ShapeTests {
  @Test func `an empty canvas is transparent, or black if it is opaque`() throws {
    let picture = try Canvas(size: Size(width: 3, height: 2)).finish()
    #expect(picture.rows == [[0, 0, 0], [0, 0, 0]])
    let opaque = try Canvas(size: Size(width: 2, height: 1), isOpaque: true).finish()
    #expect(opaque.rows == [[0xFF00_0000, 0xFF00_0000]])
  }

  @Test func `a rectangle fills its pixels`() throws {
    let picture = try drawn(4, 3) { canvas in
      canvas.fill(Rect(x: 1, y: 1, width: 2, height: 1), with: .color(red))
    }
    #expect(
      picture.rows == [
        [0, 0, 0, 0],
        [0, 0xFFFF_0000, 0xFFFF_0000, 0],
        [0, 0, 0, 0],
      ])
  }

  @Test func `a scale multiplies the pixels`() throws {
    let picture = try drawn(2, 1, scale: 2) { canvas in
      canvas.fill(Rect(x: 1, y: 0, width: 1, height: 0.5), with: .color(red))
    }
    #expect((picture.width, picture.height) == (4, 2))
    #expect(picture.rows == [[0, 0, 0xFFFF_0000, 0xFFFF_0000], [0, 0, 0, 0]])
  }

  @Test func `a part of a pixel counts as a whole pixel`() throws {
    let canvas = try Canvas(size: Size(width: 1.2, height: 0.1), scale: 1.5)
    let picture = try canvas.finish()
    #expect((picture.width, picture.height) == (2, 1))
  }

  @Test func `a translucent colour is multiplied by its alpha`() throws {
    let picture = try drawn(1, 1) { $0.fill(with: .color(Color(gray: 1, alpha: 0.5))) }
    #expect(picture.rows == [[0x8080_8080]])
  }

  @Test func `a translucent colour leaves an opaque canvas opaque`() throws {
    let canvas = try Canvas(size: Size(width: 1, height: 1), isOpaque: true)
    canvas.fill(with: .color(Color(gray: 1, alpha: 0.5)))
    #expect(try canvas.finish().rows == [[0xFF80_8080]])
  }

  @Test func `a stroke covers both sides of its path`() throws {
    let picture = try drawn(4, 4) { canvas in
      var path = Path()
      path.move(to: Point(x: 0, y: 2))
      path.line(to: Point(x: 4, y: 2))
      canvas.stroke(path, with: .color(red), width: 2)
    }
    #expect(
      picture.rows.map { $0.map { $0 != 0 } } == [
        Array(repeating: false, count: 4), Array(repeating: true, count: 4),
        Array(repeating: true, count: 4), Array(repeating: false, count: 4),
      ])
  }

  @Test func `dashes alternate with gaps`() throws {
    let picture = try drawn(8, 1) { canvas in
      var path = Path()
      path.move(to: Point(x: 0, y: 0.5))
      path.line(to: Point(x: 8, y: 0.5))
      canvas.stroke(path, with: .color(red), dash: [2, 1], dashOffset: 1)
    }
    #expect(picture.rows[0].map { $0 != 0 } == [true, false, true, true, false, true, true, false])
  }

  @Test func `the fill rule decides which points are inside`() throws {
    var path = Path(Rect(x: 0, y: 0, width: 3, height: 3))
    path.addRect(Rect(x: 1, y: 1, width: 1, height: 1))
    let winding = try drawn(3, 3) { $0.fill(path, with: .color(red)) }
    let evenOdd = try drawn(3, 3) { $0.fill(path, with: .color(red), rule: .evenOdd) }
    #expect(winding[1, 1] == 0xFFFF_0000)
    #expect(evenOdd[1, 1] == 0)
    #expect(evenOdd[0, 1] == 0xFFFF_0000)
  }

  @Test func `a clip applies until the state is restored`() throws {
    let picture = try drawn(3, 1) { canvas in
      canvas.saved {
        canvas.clip(to: Rect(x: 0, y: 0, width: 2, height: 1))
        canvas.clip(to: Rect(x: 1, y: 0, width: 2, height: 1))
        canvas.fill(with: .color(red))
      }
      canvas.fill(Rect(x: 2, y: 0, width: 1, height: 1), with: .color(.white))
    }
    #expect(picture.rows == [[0, 0xFFFF_0000, 0xFFFF_FFFF]])
  }

  @Test func `transforms are applied in order`() throws {
    let picture = try drawn(4, 4) { canvas in
      canvas.saved {
        canvas.translate(x: 4, y: 0)
        canvas.rotate(.pi / 2)
        canvas.scale(2)
        // After the rotation, right is down and down is left.
        canvas.fill(Rect(x: 0, y: 0, width: 1, height: 0.5), with: .color(red))
      }
      canvas.fill(Rect(x: 0, y: 3, width: 1, height: 1), with: .color(.white))
    }
    #expect(
      picture.rows == [
        [0, 0, 0, 0xFFFF_0000], [0, 0, 0, 0xFFFF_0000], [0, 0, 0, 0], [0xFFFF_FFFF, 0, 0, 0],
      ])
  }

  @Test func `nothing is drawn at a scale of zero`() throws {
    let picture = try drawn(2, 2) { canvas in
      canvas.saved {
        canvas.scale(0)
        canvas.fill(with: .color(red))
        canvas.fill(Rect(x: 0, y: 0, width: 2, height: 2), with: .color(red))
      }
      canvas.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .color(.white))
    }
    #expect(picture.rows == [[0xFFFF_FFFF, 0], [0, 0]])
  }

  @Test func `a linear gradient goes from one colour to another`() throws {
    let gradient = Gradient(.black, .white)
    let picture = try drawn(256, 1) { canvas in
      canvas.fill(
        with: .linear(gradient, from: Point(x: 0, y: 0), to: Point(x: 256, y: 0)))
    }
    let grays = picture.rows[0].map { Int($0 & 0xFF) }
    #expect(picture.rows[0].allSatisfy { $0 >> 24 == 0xFF })
    #expect(grays == grays.sorted())
    #expect(zip(grays, 0...255).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test func `a radial gradient is the same in every direction`() throws {
    let gradient = Gradient([.init(at: 0, .white), .init(at: 1, .black)], beyond: .nothing)
    let picture = try drawn(21, 21) { canvas in
      canvas.fill(with: .radial(gradient, center: Point(x: 10.5, y: 10.5), radius: 10))
    }
    #expect(picture[10, 10] == 0xFFFF_FFFF)
    #expect(picture[0, 0] == 0)
    for offset in 1...9 {
      #expect(picture[10 + offset, 10] == picture[10 - offset, 10])
      #expect(picture[10, 10 + offset] == picture[10 + offset, 10])
    }
  }

  @Test func `a gradient without colours paints nothing`() throws {
    let picture = try drawn(2, 1) { canvas in
      canvas.fill(with: .linear(Gradient([]), from: .zero, to: Point(x: 2, y: 0)))
    }
    #expect(picture.rows == [[0, 0]])
  }

  @Test func `an ellipse touches its edges`() throws {
    let picture = try drawn(40, 20) { canvas in
      canvas.fill(Path(ellipseIn: Rect(x: 0, y: 0, width: 40, height: 20)), with: .color(red))
    }
    #expect(picture[20, 10] == 0xFFFF_0000)
    #expect(picture[0, 0] == 0)
    #expect(picture[39, 19] == 0)
    #expect(picture[20, 0]! >> 24 > 0xC0)
    #expect(picture[0, 10]! >> 24 > 0xC0)
    // Cairo's polygons differ from a circle by at most a tenth of a pixel along the whole outline.
    let area = picture.rows.joined().reduce(0) { $0 + Double($1 >> 24) / 255 }
    #expect(abs(area - 40 * 20 * .pi / 4) < 0.1 * 97)
  }

  @Test(arguments: [5.0, 30, 300])
  func `a circle has the area of a circle`(radius: Double) throws {
    let size = 2 * Int(radius) + 2
    let center = Point(x: radius + 1, y: radius + 1)
    let picture = try drawn(size, size) { canvas in
      canvas.fill(Path(circleAt: center, radius: radius), with: .color(red))
    }
    let area = picture.rows.joined().reduce(0) { $0 + Double($1 >> 24) / 255 }
    // Cairo's polygons differ from a circle by at most a tenth of a pixel along the whole outline.
    #expect(abs(area - .pi * radius * radius) < 0.1 * 2 * .pi * radius)
  }

  @Test func `an arc is a part of a circle`() throws {
    // The lower right quarter of a disc, as a sector.
    let picture = try drawn(20, 20) { canvas in
      var path = Path()
      path.move(to: Point(x: 10, y: 10))
      path.addArc(center: Point(x: 10, y: 10), radius: 8, from: 0, to: .pi / 2)
      path.close()
      canvas.fill(path, with: .color(red))
    }
    #expect(picture[13, 13] == 0xFFFF_0000)
    #expect(picture[7, 13] == 0)
    #expect(picture[13, 7] == 0)
    #expect(picture[17, 17] == 0)
  }

  @Test func `the corners of a rounded rectangle are round`() throws {
    let picture = try drawn(10, 10) { canvas in
      let rect = Rect(x: 0, y: 0, width: 10, height: 10)
      canvas.fill(Path(roundedRect: rect, radius: 3), with: .color(red))
    }
    #expect(picture[0, 0] != 0xFFFF_0000)
    for place in [(0, 5), (5, 0), (9, 5), (5, 9), (2, 2), (7, 7)] {
      #expect(picture[place.0, place.1] == 0xFFFF_0000)
    }
    let corners = [picture[0, 0], picture[9, 0], picture[0, 9], picture[9, 9]]
    #expect(Set(corners).count == 1)
  }

  @Test func `Cairo can be used directly`() throws {
    let picture = try drawn(2, 1) { canvas in
      let answer = canvas.withCairo { context in
        canvas.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: .color(red))
        return context.hashValue
      }
      #expect(answer == canvas.withCairo { $0.hashValue })
    }
    #expect(picture.rows == [[0xFFFF_0000, 0]])
  }

  private let red = Color(red: 1, green: 0, blue: 0)
}
