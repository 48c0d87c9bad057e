import Testing

/// A script, and what it must become: its finding or its outline.
struct Case: CustomTestStringConvertible {
  let script: String
  let expected: String
  var testDescription: String { script }

  init(_ script: String, _ expected: String) { (self.script, self.expected) = (script, expected) }
}
