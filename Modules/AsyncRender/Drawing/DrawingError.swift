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
