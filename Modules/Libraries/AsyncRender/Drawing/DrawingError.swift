internal import CCairo

/// The reason why something cannot be drawn or read.
public struct DrawingError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  /// Describes an error in Cairo. Nil if the status is a success.
  init?(_ status: cairo_status_t, while what: @autoclosure () -> String) {
    guard status != CAIRO_STATUS_SUCCESS else { return nil }
    self.init("\(what()): \(String(cString: cairo_status_to_string(status)))")
  }
}

extension Double {
  /// The number with at most three decimals, for messages.
  var shortText: String {
    let thousandths = (self * 1_000).rounded()
    // A number this large has at most three decimals anyway.
    guard abs(thousandths) < 9e15 else { return "\(self)" }
    let whole = (thousandths / 1_000).rounded(.towardZero)
    return thousandths == whole * 1_000 ? "\(Int(whole))" : "\(thousandths / 1_000)"
  }
}
