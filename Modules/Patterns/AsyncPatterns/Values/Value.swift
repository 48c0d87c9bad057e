#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The result of a step. Values flow from step to step.
public enum Value: Sendable, Hashable {
  case none
  case bool(Bool)
  case integer(Int)
  case real(Double)
  case duration(Duration)
  case string(String)
  case data(Data)
  /// Width and height, as in `320x200`.
  case size(Int, Int)
  /// The control points of a cubic Bézier curve from (0, 0) to (1, 1).
  case curve(Double, Double, Double, Double)
  case list([Value])
}

extension Value {
  /// The name of the value's type in error messages.
  public var typeName: String {
    switch self {
    case .none: "nothing"
    case .bool: "true or false"
    case .integer: "a whole number"
    case .real: "a number"
    case .duration: "a duration"
    case .string: "a string"
    case .data: "data"
    case .size: "a size"
    case .curve: "a curve"
    case .list: "a list"
    }
  }

  /// The value as bytes, in the form that a step reads on standard input. A string becomes its UTF-8 bytes, a list one
  /// element per line, and ``none`` no bytes.
  public var bytes: Data {
    switch self {
    case .none: Data()
    case .data(let data): data
    default: Data(text.utf8)
    }
  }

  /// The value as plain text, without quotation marks.
  public var text: String {
    switch self {
    case .none: ""
    case .string(let string): string
    case .data(let data): String(decoding: data, as: UTF8.self)
    case .list(let values): values.map(\.text).joined(separator: "\n")
    default: description
    }
  }
}

extension Value: CustomStringConvertible {
  /// The value in the notation of the language.
  public var description: String {
    switch self {
    case .none: "none"
    case .bool(let bool): String(bool)
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .duration(let duration): duration.shortDescription
    case .string(let string): "\"\(string.escaped)\""
    case .data(let data): "data, \(Self.size(ofBytes: data.count))"
    case .size(let width, let height): "\(width)x\(height)"
    case .curve(let x1, let y1, let x2, let y2): "(\(x1), \(y1), \(x2), \(y2))"
    case .list(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    }
  }
}

extension Value {
  /// A number of bytes as text for people: `1 byte`, `312 bytes`, `1.5 kB`, `12 kB`; a kB is 1000 bytes.
  public static func size(ofBytes count: Int) -> String {
    if count < 1000 { return count == 1 ? "1 byte" : "\(count) bytes" }
    var amount = Double(count) / 1000
    var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    while amount >= 999.5, units.count > 1 {
      amount /= 1000
      units = units.dropFirst()
    }
    let tenths = Int((amount * 10).rounded())
    let isWhole = tenths >= 100 || tenths % 10 == 0
    return (isWhole ? "\(Int(amount.rounded()))" : "\(tenths / 10).\(tenths % 10)") + " "
      + units[units.startIndex]
  }
}

extension String {
  /// The string with the language's escapes for characters that cannot appear between quotation marks.
  fileprivate var escaped: String {
    var result = ""
    for character in unicodeScalars {
      switch character {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where character.value < 0x20 || character.value == 0x7F:
        result += "\\u{\(String(character.value, radix: 16))}"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
