extension Int {
  /// The number with its noun: “1 run”, “2 runs”.
  func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
