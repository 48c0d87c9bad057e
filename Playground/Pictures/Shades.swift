/// A picture in ASCII: each character is as bright as its pixel.
struct Shades {
  private static let fromDark = Array(" .:-=+*#%@")

  /// One pixel for each character.
  let raster: Raster
  let background: Background

  var text: String {
    var text = ""
    for y in 0..<raster.height {
      var line = ""
      for x in 0..<raster.width { line.append(shade(raster[x, y])) }
      while line.hasSuffix(" ") { line.removeLast() }
      text += line + "\n"
    }
    return text
  }

  private func shade(_ pixel: UInt32) -> Character {
    guard let color = background.color(behind: pixel) else { return " " }
    // Characters are bright on a dark screen and dark on a bright one.
    let ink = background == .dark ? color.luma : 255 - color.luma
    return Self.fromDark[ink * Self.fromDark.count / 256]
  }
}
