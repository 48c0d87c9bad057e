internal import CCairo

/// Why something cannot be drawn, or read.
public struct DrawingError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  /// What Cairo says of its own failure; nil if there is none.
  init?(_ status: cairo_status_t, while what: @autoclosure () -> String) {
    guard status != CAIRO_STATUS_SUCCESS else { return nil }
    self.init("\(what()): \(String(cString: cairo_status_to_string(status)))")
  }
}

extension Double {
  /// With three decimals at most, for messages.
  var shortText: String {
    let thousandths = (self * 1_000).rounded()
    // What is beyond whole numbers has no decimals to leave out.
    guard abs(thousandths) < 9e15 else { return "\(self)" }
    let whole = (thousandths / 1_000).rounded(.towardZero)
    return thousandths == whole * 1_000 ? "\(Int(whole))" : "\(thousandths / 1_000)"
  }
}
