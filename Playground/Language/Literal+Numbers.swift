/// A number and a unit with a space between them: `1 ms`.
public struct DetachedUnit: Sendable {
  public let range: SourceRange
  public let message: String
  /// The duration as it must be written.
  public let duration: String

  /// Nil if the number and the word would not be a duration without the space.
  public init?(_ unit: String, at range: SourceRange, after number: Literal, in source: Source) {
    guard number.value.isPlainNumber,
      Literal.Value.durationUnits.contains(where: { $0.name == unit })
    else { return nil }
    let text = source.text(number.range)
    self.range = number.range.joined(with: range)
    message = "“\(text) \(unit)” is not a duration: there is a space in it"
    duration = text + unit
  }
}

extension Literal.Value {
  /// The units of durations, in nanoseconds. Both characters that look like µ are included.
  static let durationUnits: [(name: String, nanoseconds: Int64)] = [
    ("ns", 1), ("us", 1_000), ("\u{B5}s", 1_000), ("\u{3BC}s", 1_000), ("ms", 1_000_000),
    ("s", 1_000_000_000), ("min", 60_000_000_000), ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
  ]

  /// The longest duration: 100 years of 365.25 days.
  public static let longestDuration: Int64 = 36_525 * 86_400_000_000_000

  /// Reads a number and the characters that follow it directly: an integer, a real, a percentage, a size or a duration.
  static func numeric(_ bytes: ArraySlice<UInt8>, range: SourceRange) throws(LexicalProblem) -> Self
  {
    let number = DecimalNumber(bytes)
    let suffix = bytes[number.end...]
    if suffix.isEmpty { return try number.value(bytes, range: range) }
    let unit = String(decoding: suffix, as: UTF8.self)
    func problem(_ message: String, hint: String? = nil) -> LexicalProblem {
      LexicalProblem(message: message, range: range, hint: hint)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let isPlain = !number.hasExponent && number.isWellFormed
    if isPlain, unit == "%" {
      guard let value = Double(text.dropLast()) else {
        throw problem("“\(text)” is not a percentage")
      }
      return .percent(value)
    }
    if isPlain, let match = durationUnits.first(where: { $0.name == unit }) {
      if number.isNegative { throw problem("a duration cannot be negative") }
      guard let nanoseconds = number.nanoseconds(unit: match.nanoseconds),
        nanoseconds <= longestDuration
      else { throw problem("a duration can be at most 100 years") }
      return .duration(nanoseconds: nanoseconds)
    }
    if isPlain, !number.isNegative, number.fraction.isEmpty, suffix.first == UInt8(ascii: "x"),
      suffix.count > 1, suffix.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    {
      guard let width = Int(String(decoding: number.whole, as: UTF8.self)),
        let height = Int(String(decoding: suffix.dropFirst(), as: UTF8.self))
      else { throw problem("this size is too large") }
      return .size(width: width, height: height)
    }
    if isPlain, unit.allSatisfy(\.isLetter) {
      throw problem(
        "“\(unit)” is not a unit", hint: "a duration’s unit is ns, us, ms, s, min, h or d")
    }
    throw problem(
      "“\(text)” is not a number, duration, size or percentage",
      hint: "they are written 3, -0.5, 20ms, 320x200, 50%; a name starts with a letter")
  }
}

/// The decimal number at the start of some bytes, as digits, so that it is exact.
private struct DecimalNumber {
  var isNegative = false
  var whole: ArraySlice<UInt8>
  var fraction: ArraySlice<UInt8> = []
  var hasPoint = false
  var hasExponent = false
  /// The index after the number.
  var end: Int

  /// Whether a decimal point, if there is one, is between digits.
  var isWellFormed: Bool { !whole.isEmpty && hasPoint == !fraction.isEmpty }

  init(_ bytes: ArraySlice<UInt8>) {
    var index = bytes.startIndex
    func digits() -> ArraySlice<UInt8> {
      let start = index
      while index < bytes.endIndex, (0x30...0x39).contains(bytes[index]) { index += 1 }
      return bytes[start..<index]
    }
    if bytes.first == UInt8(ascii: "-") {
      isNegative = true
      index += 1
    }
    whole = digits()
    if index < bytes.endIndex, bytes[index] == UInt8(ascii: ".") {
      hasPoint = true
      index += 1
      fraction = digits()
    }
    end = index
    if index < bytes.endIndex, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.endIndex, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
      if !digits().isEmpty {
        hasExponent = true
        end = index
      }
    }
  }

  func value(
    _ bytes: ArraySlice<UInt8>, range: SourceRange
  ) throws(LexicalProblem) -> Literal.Value {
    let text = String(decoding: bytes, as: UTF8.self)
    if isWellFormed, !hasPoint, !hasExponent {
      guard let value = Int(text) else {
        throw LexicalProblem(
          message: "this number is too large", range: range,
          hint: "a whole number is at most \(Int.max)")
      }
      return .integer(value)
    }
    guard isWellFormed, let value = Double(text) else {
      throw LexicalProblem(
        message: "“\(text)” is not a number", range: range,
        hint: "a point needs digits on both sides: 0.5, 2.0")
    }
    guard value.isFinite else {
      throw LexicalProblem(message: "this number is too large", range: range)
    }
    return .real(value)
  }

  /// The number multiplied by a unit, rounded to the nearest nanosecond. Nil if it is much larger than any duration.
  func nanoseconds(unit: Int64) -> Int64? {
    let digits = whole.drop { $0 == 0x30 }
    guard digits.count <= 19, let whole = UInt128(digits.isEmpty ? "0" : text(digits)) else {
      return nil
    }
    // For the largest unit, a day, 20 decimal places are much finer than half a nanosecond.
    let kept = fraction.prefix(20)
    let scale = kept.reduce(UInt128(1)) { scale, _ in scale * 10 }
    let part = UInt128(kept.isEmpty ? "0" : text(kept)) ?? 0
    let total = whole * UInt128(unit) + (part * UInt128(unit) + scale / 2) / scale
    return Int64(exactly: total)
  }

  private func text(_ digits: ArraySlice<UInt8>) -> String {
    String(decoding: digits, as: UTF8.self)
  }
}
