extension Timeline {
  /// The maximum number of findings of a record that are marked: there are nine signs.
  public static let mostFindings = 9

  /// The sign of a finding in a timeline, one column wide: `❶`.
  ///
  /// - Parameter number: from 1 to `mostFindings`.
  public static func sign(ofFinding number: Int, _ style: Style) -> String {
    let signs = style == .unicode ? "❶❷❸❹❺❻❼❽❾" : "123456789"
    return String(Array(signs)[number - 1])
  }
}
