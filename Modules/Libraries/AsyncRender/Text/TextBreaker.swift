internal import CCairo

/// Sets a text in lines, one paragraph after another, and a long one piece by piece: what nobody looks at is not
/// laid out, and it can be called off soon.
struct TextBreaker {
  /// A line, valid until the next piece is laid out.
  struct Line {
    let pango: UnsafeMutablePointer<PangoLayoutLine>
    /// Its place in the text, in bytes.
    let bytes: Range<Int>
    /// In units: how wide it is, where it begins and ends, and on what its letters stand.
    let width, top, bottom, baseline: Double
    let isRightToLeft: Bool
  }

  enum Course { case goOn, enough }

  private let layout: TextLayout
  private let setter: TextSetter
  private let isCancelled: () -> Bool
  private let visit: (Line) -> Course

  private var top = 0.0
  /// Lines that there may still be.
  private var remaining: Int
  /// Bytes that are laid out at once.
  private let piece: Int
  private var isAskingForEllipsis: Bool { layout.lineLimit != nil && layout.truncation != .none }

  /// Calls `visit` with each line until that has had enough.
  ///
  /// - Returns: false if it was called off: that is asked before every piece and every line.
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
    // Pango counts in 1024ths of a unit, with 32 bits; a letter is rarely as wide as four of its size.
    let most = 250_000 / layout.font.size
    let width = layout.lineWidth
    // Several lines at once, since the last one is laid out again with the next piece; but not many.
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
      case .goOn: break
      }
      guard let next else { return true }
      start = next
    }
  }

  /// - Returns: nil if it was called off.
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
        UnsafeBufferPointer(rebasing: text[start..<end]), goesOn: !isLast && isWhole)
      let isEllipsized = pango_layout_is_ellipsized(setter.layout) != 0
      // The last line of a piece may be longer when the next piece is there.
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
      if isWhole { return .goOn }
      let last = lines?.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self)
      start = kept < count ? start + Int(last?.pointee.start_index ?? 0) : end
    }
  }

  /// Whether a paragraph is written from right to left, which the layout is told.
  private func setDirection(of paragraph: UnsafeBufferPointer<UInt8>) -> Bool {
    let direction = paragraph.withMemoryRebound(to: CChar.self) { text in
      text.baseAddress.map { ccairo_first_direction($0, Int32(clamping: text.count)) }
    }
    let isRightToLeft = direction == PANGO_DIRECTION_RTL
    pango_context_set_base_dir(
      setter.context, isRightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
    return isRightToLeft
  }

  /// - Parameter goesOn: whether there is another paragraph after this text.
  /// - Returns: how many lines it has.
  private func layOut(_ text: UnsafeBufferPointer<UInt8>, goesOn: Bool) -> Int {
    let pango = setter.layout
    if isAskingForEllipsis { pango_layout_set_height(pango, -Int32(clamping: remaining)) }
    set(text)
    let count = Int(pango_layout_get_line_count(pango))
    guard isAskingForEllipsis, goesOn, count >= remaining, pango_layout_is_ellipsized(pango) == 0
    else { return count }
    // Its last line is whole, and yet the last one.
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
    // An ellipsis that was put behind the text does not belong to it.
    let bytes = min(first, end)..<min(first + Int(pango.pointee.length), end)
    return Line(
      pango: pango, bytes: bytes, width: extents.width.units, top: top,
      bottom: top + extents.height.units, baseline: top - extents.y.units,
      isRightToLeft: isRightToLeft)
  }
}

extension Int32 {
  /// What Pango counts, in units.
  fileprivate var units: Double { Double(self) / Double(PANGO_SCALE) }
}

extension Double {
  /// What a distance between lines can be.
  fileprivate var finite: Double { isNaN ? 0 : Swift.min(Swift.max(self, -1e6), 1e6) }
}

extension TextLayout {
  /// The width that lines are broken at, if there is one.
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
