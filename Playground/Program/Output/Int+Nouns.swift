extension Int {
  /// So many of something: “1 run”, “2 runs”.
  func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
