/// A drawing of timelines before it is painted: shapes and text in the order in which they cover each other, in
/// units of a 96th of an inch, from the top left.
///
/// What paints it, as SVG or as pixels, decides nothing: both look alike.
package struct TimelinePicture: Sendable {
  package let width: Double
  package internal(set) var height: Double = 0
  /// What it shows, for whoever cannot see it.
  package internal(set) var title = ""
  package internal(set) var marks: [Mark] = []

  package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  package enum Mark: Sendable {
    case rectangle(Rectangle)
    case line(Line)
    /// A filled polygon.
    case area([Point], PictureInk)
    case text(Text)
  }

  package struct Rectangle: Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
    package var ink: PictureInk
    package var fill = Fill.solid
    package var radius = 0.0
    /// What a viewer may tell about it when asked.
    package var hint: String?
  }

  package enum Fill: Sendable {
    case solid
    /// Slanted lines, this far apart and this thick, with nothing between them.
    case hatched(distance: Double, thickness: Double)
  }

  package struct Line: Sendable {
    package var points: [Point]
    package var ink: PictureInk
    package var thickness = 1.0
  }

  package struct Text: Sendable {
    package var text: String
    package var x: Double
    /// Of the line that letters stand on.
    package var y: Double
    package var size: Double
    package var ink: PictureInk
    package var anchor = Anchor.start
    package var isBold = false
    /// Whether it stands out from whatever it lies upon.
    package var hasHalo = false
  }

  package enum Anchor: Sendable { case start, middle, end }

  init(width: Double) { self.width = width }
}

/// What something is painted with, on light ground and on dark.
package enum PictureInk: String, Sendable, CaseIterable {
  case ground, panel, line, text, faint, run, critical, wait, blocked, failure, faster, onBar, strip

  /// Red, green and blue, a byte each.
  ///
  /// Those of bars are told apart by whoever does not see all colours, too: after Okabe and Ito, “Color
  /// Universal Design”, 2008. What stands parked or waits is hatched as well.
  package func color(isDark: Bool) -> UInt32 {
    switch self {
    case .ground: isDark ? 0x14_181F : 0xFF_FFFF
    case .text: isDark ? 0xE9_ECF1 : 0x1A_2029
    case .faint: isDark ? 0xA3_ADBB : 0x59_6473
    case .panel: isDark ? 0x1F_252E : 0xF2_F5F8
    case .line: isDark ? 0x2E_3642 : 0xDD_E3EA
    case .run: isDark ? 0x6A_A5DE : 0x3F_7FBF
    case .critical: isDark ? 0xFF_9A3D : 0xD9_5F02
    case .wait: isDark ? 0x6B_7686 : 0xA9_B3C1
    case .blocked: isDark ? 0xF0_78B4 : 0xB8_2E72
    case .failure: isDark ? 0xFF_6B6B : 0xC0_1A22
    case .faster: isDark ? 0x5F_D08A : 0x1B_7F45
    case .onBar: isDark ? 0x10_1318 : 0xFF_FFFF
    case .strip: isDark ? 0x3C_5876 : 0xA9_C4DF
    }
  }

  /// As style sheets spell it: `#1a2029`.
  func hexadecimal(isDark: Bool) -> String {
    let digits = String(color(isDark: isDark), radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
