extension Int {
  /// The number with its noun: “1 run”, “2 runs”, “2 entries”.
  func of(_ noun: String) -> String {
    if self == 1 { return "1 \(noun)" }
    return noun.hasSuffix("y") ? "\(self) \(noun.dropLast())ies" : "\(self) \(noun)s"
  }
}
