internal import CCairo

/// Breaks a text into lines, one paragraph after another, and a long paragraph piece by piece. Text that is not needed
/// is not laid out, and a cancellation takes effect soon.
struct TextBreaker {
  /// A line. It is valid until the next piece is laid out.
  struct Line {
    let pango: UnsafeMutablePointer<PangoLayoutLine>
    /// Its range in the text, in bytes.
    let bytes: Range<Int>
    /// In units: the width of the line, its top and bottom edges, and its baseline.
    let width, top, bottom, baseline: Double
    let isRightToLeft: Bool
  }

  enum Course { case more, enough }

  private let layout: TextLayout
  private let setter: TextSetter
  private let isCancelled: () -> Bool
  private let visit: (Line) -> Course

  private var top = 0.0
  /// The number of lines that may still follow.
  private var remaining: Int
  /// The number of bytes that are laid out together.
  private let piece: Int
  private var isAskingForEllipsis: Bool { layout.lineLimit != nil && layout.truncation != .none }

  /// Calls `visit` with each line until it returns `enough`.
  ///
  /// - Returns: false if it was cancelled. It checks for cancellation before every piece and every line.
  static func breakLines(
    of layout: TextLayout, _ text: UnsafeBufferPointer<UInt8>, with setter: TextSetter,
    unless isCancelled: () -> Bool, _ visit: (Line) -> Course
  ) -> Bool {
    withoutActuallyEscaping(isCancelled) { isCancelled in
      withoutActuallyEscaping(visit) { visit in
        var breaker = TextBreaker(layout, setter, isCancelled, visit)
        return breaker.breakLines(of: text)
      }
    }
  }

  private init(
    _ layout: TextLayout, _ setter: TextSetter, _ isCancelled: @escaping () -> Bool,
    _ visit: @escaping (Line) -> Course
  ) {
    self.layout = layout
    self.setter = setter
    self.isCancelled = isCancelled
    self.visit = visit
    remaining = max(layout.lineLimit ?? .max, 0)
    // Pango uses 32-bit coordinates in 1024ths of a unit. A letter is rarely wider than four times the font size.
    let most = 250_000 / layout.font.size
    let width = layout.lineWidth
    // The last line of a piece is laid out again with the next piece. So a piece spans several lines, to keep these
    // repetitions few, but it does not span too many.
    piece = Int(width.map { min(max(2_048, 16 * $0 / layout.font.size), most) } ?? most)

    let pango = setter.layout
    pango_layout_set_font_description(pango, layout.font.pango.pointer)
    pango_layout_set_width(pango, width.map { Int32($0 * Double(PANGO_SCALE)) } ?? -1)
    pango_layout_set_justify(pango, layout.alignment == .justified ? 1 : 0)
    pango_layout_set_ellipsize(
      pango, isAskingForEllipsis ? layout.truncation.pango : PANGO_ELLIPSIZE_NONE)
  }

  private mutating func breakLines(of text: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = 0
    while true {
      let (end, next) = Paragraphs.end(in: text, from: start)
      switch breakParagraph(text, start..<end, isLast: next == nil) {
      case nil: return false
      case .enough: return true
      case .more: break
      }
      guard let next else { return true }
      start = next
    }
  }

  /// - Returns: nil if it was cancelled.
  private mutating func breakParagraph(
    _ text: UnsafeBufferPointer<UInt8>, _ paragraph: Range<Int>, isLast: Bool
  ) -> Course? {
    let whole = UnsafeBufferPointer(rebasing: text[paragraph])
    let isRightToLeft = setDirection(of: whole)
    var start = paragraph.lowerBound
    while true {
      guard remaining > 0 else { return .enough }
      guard !isCancelled() else { return nil }
      let end = Paragraphs.cut(text, start..<paragraph.upperBound, to: piece)
      let isWhole = end == paragraph.upperBound
      let count = layOut(
        UnsafeBufferPointer(rebasing: text[start..<end]), continues: !isLast && isWhole)
      let isEllipsized = pango_layout_is_ellipsized(setter.layout) != 0
      // The last line of a piece may become longer with the next piece.
      let kept = isWhole || isEllipsized || count == 1 ? count : count - 1
      var lines = pango_layout_get_lines_readonly(setter.layout)
      for _ in 0..<min(kept, remaining) {
        guard let pango = lines?.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self) else {
          break
        }
        guard !isCancelled() else { return nil }
        let line = line(pango, from: start, to: end, isRightToLeft)
        if visit(line) == .enough { return .enough }
        top = line.bottom + layout.lineSpacing.finite
        lines = lines?.pointee.next
      }
      remaining -= min(kept, remaining)
      if isEllipsized { return .enough }
      if isWhole { return .more }
      let last = lines?.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self)
      start = kept < count ? start + Int(last?.pointee.start_index ?? 0) : end
    }
  }

  /// Sets the direction of the layout to that of a paragraph. Returns whether it is written from right to left.
  private func setDirection(of paragraph: UnsafeBufferPointer<UInt8>) -> Bool {
    let direction = paragraph.withMemoryRebound(to: CChar.self) { text in
      text.baseAddress.map { ccairo_first_direction($0, Int32(clamping: text.count)) }
    }
    let isRightToLeft = direction == PANGO_DIRECTION_RTL
    pango_context_set_base_dir(
      setter.context, isRightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
    return isRightToLeft
  }

  /// - Parameter continues: whether another paragraph follows this text.
  /// - Returns: the number of lines.
  private func layOut(_ text: UnsafeBufferPointer<UInt8>, continues: Bool) -> Int {
    let pango = setter.layout
    if isAskingForEllipsis { pango_layout_set_height(pango, -Int32(clamping: remaining)) }
    set(text)
    let count = Int(pango_layout_get_line_count(pango))
    guard isAskingForEllipsis, continues, count >= remaining, pango_layout_is_ellipsized(pango) == 0
    else { return count }
    // The last line is complete but must show an ellipsis, because more text follows.
    ([UInt8](text) + Array("…".utf8)).withUnsafeBufferPointer { set($0) }
    return Int(pango_layout_get_line_count(pango))
  }

  private func set(_ text: UnsafeBufferPointer<UInt8>) {
    text.withMemoryRebound(to: CChar.self) { text in
      if let start = text.baseAddress {
        pango_layout_set_text(setter.layout, start, Int32(text.count))
      } else {
        pango_layout_set_text(setter.layout, "", 0)
      }
    }
  }

  private func line(
    _ pango: UnsafeMutablePointer<PangoLayoutLine>, from start: Int, to end: Int,
    _ isRightToLeft: Bool
  ) -> Line {
    var extents = PangoRectangle()
    pango_layout_line_get_extents(pango, nil, &extents)
    let first = start + Int(pango.pointee.start_index)
    // An ellipsis that was appended to the text is not part of its range.
    let bytes = min(first, end)..<min(first + Int(pango.pointee.length), end)
    return Line(
      pango: pango, bytes: bytes, width: extents.width.units, top: top,
      bottom: top + extents.height.units, baseline: top - extents.y.units,
      isRightToLeft: isRightToLeft)
  }
}

extension Int32 {
  /// Converts a Pango measure to units.
  fileprivate var units: Double { Double(self) / Double(PANGO_SCALE) }
}

extension Double {
  /// The value limited to the valid range of line spacings.
  fileprivate var finite: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e6), 1e6) }
}

extension TextLayout {
  /// The width at which lines are broken, if there is one.
  var lineWidth: Double? {
    guard let width, width.isFinite else { return nil }
    return min(max(width, 0), 1_000_000)
  }
}

extension TextLayout.Truncation {
  fileprivate var pango: PangoEllipsizeMode {
    switch self {
    case .none: PANGO_ELLIPSIZE_NONE
    case .start: PANGO_ELLIPSIZE_START
    case .middle: PANGO_ELLIPSIZE_MIDDLE
    case .end: PANGO_ELLIPSIZE_END
    }
  }
}
