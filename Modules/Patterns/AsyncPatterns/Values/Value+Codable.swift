#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes values as JSON: none as null, a duration as whole nanoseconds, data as base64, a size and a curve as lists
/// of numbers. So durations, data, sizes and curves are decoded as integers, strings and lists.
extension Value: Codable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .integer(let integer): try container.encode(integer)
    case .real(let real) where real.isFinite: try container.encode(real)
    case .real(let real): try container.encode(String(real))
    case .duration(let duration): try container.encode(duration.wholeNanoseconds)
    case .string(let string): try container.encode(string)
    case .data(let data): try container.encode(data.base64EncodedString())
    case .size(let width, let height): try container.encode([width, height])
    case .curve(let x1, let y1, let x2, let y2): try container.encode([x1, y1, x2, y2])
    case .list(let values): try container.encode(values)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int.self) {
      self = .integer(integer)
    } else if let real = try? container.decode(Double.self) {
      self = .real(real)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else {
      self = .list(try container.decode([Value].self))
    }
  }
}
