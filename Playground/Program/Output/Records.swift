import Foundation

/// An error, as a JSON line.
struct ErrorRecord: Encodable {
  let record = "error"
  let message: String
  let file: String?
  let line: Int?
  let column: Int?
}

/// The result of an `expect`, as a JSON line.
struct ExpectRecord: Encodable {
  let record = "expect"
  let text: String
  let passed: Bool
  let actual: String
  let file: String
  let line: Int
}

extension Encodable {
  /// The value as one line of JSON with sorted keys.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
