/// A measured quantity: a time, an amount of memory, or a number of something.
public enum Amount: Sendable {
  case time(Duration)
  case bytes(Int)
  case number(Double, of: String)

  /// The ratio of two amounts of the same kind.
  static func / (amount: Amount, other: Amount) -> Double { amount.number / other.number }

  static func * (amount: Amount, factor: Double) -> Amount {
    switch amount {
    case .time(let time): .time(time * factor)
    case .bytes(let bytes): .bytes(Int(Double(bytes) * factor))
    case .number(let number, let unit): .number(number * factor, of: unit)
    }
  }

  var number: Double {
    switch self {
    case .time(let time): time / .nanoseconds(1)
    case .bytes(let bytes): Double(bytes)
    case .number(let number, _): number
    }
  }
}

extension Amount: CustomStringConvertible {
  public var description: String {
    switch self {
    case .time(let time): time.figure
    case .bytes(let bytes): hundredths(Double(bytes) / 1e6) + " MB"
    case .number(let number, let unit): hundredths(number) + " " + unit
    }
  }
}

extension Duration {
  /// The time in a suitable unit, with about three digits.
  var figure: String {
    let nanoseconds = self / .nanoseconds(1)
    return switch abs(nanoseconds) {
    case ..<1e3: "\(hundredths(nanoseconds)) ns"
    case ..<1e6: "\(hundredths(nanoseconds / 1e3)) µs"
    case ..<1e9: "\(hundredths(nanoseconds / 1e6)) ms"
    default: "\(hundredths(nanoseconds / 1e9)) s"
    }
  }
}

func hundredths(_ number: Double) -> String { String((number * 100).rounded() / 100) }
