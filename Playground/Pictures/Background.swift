/// The background of a terminal, as far as it is known.
public enum Background: Sendable, Hashable {
  case dark, light

  /// Reads the background from `COLORFGBG`, which rxvt and Konsole set. It is dark if the variable is not set.
  public init(environment: [String: String]) {
    let color = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
    self = color == 7 || color.map { (9...15).contains($0) } == true ? .light : .dark
  }

  private var level: UInt32 { self == .light ? 255 : 0 }

  /// The colour of a pixel in front of the background. Nil if the pixel is so transparent that the background itself
  /// should be shown.
  func color(behind pixel: UInt32) -> RGBColor? {
    let alpha = pixel >> 24
    guard alpha >= 16 else { return nil }
    let through = (255 - alpha) * level / 255
    func channel(_ shift: UInt32) -> UInt8 {
      UInt8(min((pixel >> shift & 0xFF) + through, 255))
    }
    return RGBColor(red: channel(16), green: channel(8), blue: channel(0))
  }
}

/// A colour of the screen.
struct RGBColor: Hashable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  /// The perceived brightness, from 0 to 255, with the weights of ITU-R BT.601.
  var luma: Int { (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1000 }

  /// The index of the nearest of xterm's 256 colours. Only the colour cube and the greys are used, because the user can
  /// change the first 16 colours.
  var indexed: Int {
    let levels = [0, 95, 135, 175, 215, 255]
    func nearest(_ value: UInt8) -> Int {
      levels.indices.min { abs(levels[$0] - Int(value)) < abs(levels[$1] - Int(value)) } ?? 0
    }
    let cube = [nearest(red), nearest(green), nearest(blue)]
    let mean = (Int(red) + Int(green) + Int(blue)) / 3
    let grey = min(max((mean - 3) / 10, 0), 23)
    let inCube = distance(to: cube.map { levels[$0] })
    let isGrey = distance(to: [Int](repeating: 8 + 10 * grey, count: 3)) < inCube
    return isGrey ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
  }

  private func distance(to other: [Int]) -> Int {
    zip([red, green, blue], other).reduce(0) { sum, pair in
      let difference = Int(pair.0) - pair.1
      return sum + difference * difference
    }
  }
}
