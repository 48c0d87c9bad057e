/// A drawing of timelines before it is painted. It lists shapes and text in the order in which they cover each other.
/// The unit is a 96th of an inch, measured from the top left.
///
/// The code that paints it, as SVG or as pixels, makes no decisions of its own. Both results therefore look alike.
package struct TimelinePicture: Sendable {
  package let width: Double
  package internal(set) var height: Double = 0
  /// A description for readers who cannot see the picture.
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
    /// A text that a viewer may show on request.
    package var hint: String?

    /// The rectangle with its edges moved inwards by `distance`. A line along the new edges, twice as thick as
    /// `distance`, fills a frame inside the old edges.
    package func inset(by distance: Double) -> Rectangle {
      var inner = self
      inner.x += distance
      inner.y += distance
      inner.width = max(width - 2 * distance, 0)
      inner.height = max(height - 2 * distance, 0)
      return inner
    }
  }

  package enum Fill: Sendable {
    case solid
    /// Slanted lines with this distance and thickness, and nothing between them.
    case hatched(distance: Double, thickness: Double)
    /// A frame of this thickness inside the edges, and the background within.
    case framed(thickness: Double)
  }

  package struct Line: Sendable {
    package var points: [Point]
    package var ink: PictureInk
    package var thickness = 1.0
    /// The length of dashes, and of the gaps between them. Nil for a solid line.
    package var dash: Double?
  }

  package struct Text: Sendable {
    package var text: String
    package var x: Double
    /// The position of the baseline.
    package var y: Double
    package var size: Double
    package var ink: PictureInk
    package var anchor = Anchor.start
    package var isBold = false
    /// Whether a halo separates it from whatever is below it.
    package var hasHalo = false
  }

  package enum Anchor: Sendable { case start, middle, end }

  init(width: Double) { self.width = width }
}

/// A colour, for light and dark backgrounds.
package enum PictureInk: String, Sendable, CaseIterable {
  case ground, panel, line, text, faint, run, critical, wait, blocked, failure, faster, onBar, strip

  /// Red, green and blue, one byte each.
  ///
  /// Readers with colour blindness can distinguish the colours of bars, which follow Okabe and Ito, “Color Universal
  /// Design”, 2008. Blocked and waiting times are also hatched.
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

  /// In the notation of style sheets: `#1a2029`.
  func hexadecimal(isDark: Bool) -> String {
    let digits = String(color(isDark: isDark), radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
