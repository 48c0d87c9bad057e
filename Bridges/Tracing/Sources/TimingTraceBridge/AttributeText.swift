internal import Tracing

extension SpanAttributes {
  /// Each attribute as `key=value`, sorted by key.
  var text: String {
    var pairs: [(key: String, value: String)] = []
    forEach { pairs.append(($0, $1.text)) }
    return pairs.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      .joined(separator: " ")
  }

  /// The value of a key, if it is a string.
  func string(_ key: String) -> String? {
    if case .string(let value)? = get(key) { value } else { nil }
  }
}

extension SpanAttribute {
  var text: String {
    switch self {
    case .int32(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): value
    case .int32Array(let values): "\(values)"
    case .int64Array(let values): "\(values)"
    case .doubleArray(let values): "\(values)"
    case .boolArray(let values): "\(values)"
    case .stringArray(let values): "\(values)"
    case .stringConvertible(let value): "\(value)"
    case .stringConvertibleArray(let values): "\(values.map { "\($0)" })"
    default: ""
    }
  }
}
