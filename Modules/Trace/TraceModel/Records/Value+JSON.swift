package import TraceBasics

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension JSONWriter {
  /// Writes the value in the same form as the encoding of `Value`.
  package mutating func value(_ value: Value) {
    switch value {
    case .none: null()
    case .bool(let bool): self.bool(bool)
    case .integer(let integer): self.integer(integer)
    case .real(let real) where real.isFinite: number(real)
    case .real(let real): string(String(real))
    case .duration(let duration): integer(duration.wholeNanoseconds)
    case .string(let string): self.string(string)
    case .data(let data): string(data.base64EncodedString())
    case .size(let width, let height):
      array { writer in
        writer.integer(width)
        writer.integer(height)
      }
    case .curve(let x1, let y1, let x2, let y2):
      array { writer in for number in [x1, y1, x2, y2] { writer.number(number) } }
    case .list(let values): array { writer in for value in values { writer.value(value) } }
    }
  }
}

extension Value {
  /// The value that the JSON represents, by the same rules as the decoding of `Value`.
  package init(_ json: JSONValue?) {
    switch json {
    case .null, nil: self = .none
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .integer(Int(integer))
    case .number(let number): self = .real(number)
    case .string(let string): self = .string(string)
    case .array(let values): self = .list(values.map { Value($0) })
    // Values are never written as objects.
    case .object: self = .none
    }
  }
}
