extension Duration {
  /// The duration in whole nanoseconds, clamped to 64 bits (292 years).
  public var wholeNanoseconds: Int64 {
    // Most durations are below nine seconds. For them, one division by a constant is enough.
    if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
    // `components` traps if the seconds need more than 64 bits.
    if self >= .nanoseconds(Int64.max) { return .max }
    if self <= .nanoseconds(Int64.min) { return .min }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The duration in the largest unit that keeps it readable, with at most three decimals: `30ms`,
  /// `1.25s`, `417ns`. The playground's language reads it as a duration.
  public var shortDescription: String {
    let nanoseconds = wholeNanoseconds
    if nanoseconds < 0 {
      return "-" + Duration.nanoseconds(-max(nanoseconds, -.max)).shortDescription
    }
    let units: [(Int64, String)] = [
      (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "min"),
      (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"),
    ]
    guard let (size, unit) = units.first(where: { nanoseconds >= $0.0 }) else {
      return "\(nanoseconds)ns"
    }
    let whole = nanoseconds / size
    let thousandths = Int64((Double(nanoseconds % size) / Double(size) * 1000).rounded())
    if thousandths == 1000 { return "\(whole + 1)\(unit)" }
    if thousandths == 0 { return "\(whole)\(unit)" }
    var decimals = String(thousandths)
    decimals = String(repeating: "0", count: 3 - decimals.count) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(whole).\(decimals)\(unit)"
  }
}

extension Int64 {
  /// This number of nanoseconds as the `shortDescription` of a duration.
  package var durationText: String { Duration.nanoseconds(self).shortDescription }
}
