#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Value {
  /// The value for the result of a Swift function.
  ///
  /// `Void` and nil become ``none``, whole numbers ``integer(_:)``, and arrays ``list(_:)``. A result of a type
  /// without a case in `Value` becomes a string, its description.
  public init(of result: some Any) {
    switch result {
    case let value as Value: self = value
    case is Void: self = .none
    case let bool as Bool: self = .bool(bool)
    case let number as any BinaryInteger:
      self = Int(exactly: number).map { .integer($0) } ?? .string(number.description)
    case let number as any BinaryFloatingPoint: self = .real(Double(number))
    case let duration as Duration: self = .duration(duration)
    case let string as String: self = .string(string)
    case let data as Data: self = .data(data)
    case let list as [Any]: self = .list(list.map { Value(of: $0) })
    case let optional as any OptionalResult:
      self = optional.unwrapped.map { Value(of: $0) } ?? .none
    default: self = .string(String(describing: result))
    }
  }
}

/// An optional whose type is not known.
private protocol OptionalResult {
  var unwrapped: Any? { get }
}

extension Optional: OptionalResult {
  fileprivate var unwrapped: Any? { self.map { $0 } }
}

extension Int {
  /// The whole number in a value. Nil if the value is anything else.
  public init?(_ value: Value) {
    guard case .integer(let number) = value else { return nil }
    self = number
  }
}

extension Double {
  /// The number in a value, even if it is a whole number. Nil if the value is anything else.
  public init?(_ value: Value) {
    switch value {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: return nil
    }
  }
}

extension Bool {
  /// The truth value in a value. Nil if the value is anything else.
  public init?(_ value: Value) {
    guard case .bool(let bool) = value else { return nil }
    self = bool
  }
}

extension Duration {
  /// The duration in a value. Nil if the value is anything else.
  public init?(_ value: Value) {
    guard case .duration(let duration) = value else { return nil }
    self = duration
  }
}

extension [Value] {
  /// The elements of a list. Nil if the value is anything else.
  public init?(_ value: Value) {
    guard case .list(let values) = value else { return nil }
    self = values
  }
}
