internal import CCairo

extension Canvas {
  /// Calls `body`, and undoes what it has changed of the place, the direction and the clip.
  @discardableResult
  public func saved<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try nested { (_) throws(Failure) in try body() }
  }

  /// Moves the origin of what is drawn from now on; in units.
  public func translate(x: Double, y: Double) {
    guard x.isFinite, y.isFinite else { return fail("cannot translate by (\(x), \(y))") }
    cairo_translate(context, x, y)
  }

  /// Makes what is drawn from now on larger, or smaller. Scaled to 0, nothing is drawn.
  public func scale(x: Double, y: Double) {
    guard x.isFinite, y.isFinite else { return fail("cannot scale by (\(x), \(y))") }
    guard x != 0, y != 0 else { return clipAll() }
    cairo_scale(context, x, y)
  }

  /// Makes what is drawn from now on larger, or smaller, in both directions. Scaled to 0, nothing is drawn.
  public func scale(_ factor: Double) { scale(x: factor, y: factor) }

  /// Turns what is drawn from now on around the origin.
  ///
  /// - Parameter angle: in radians, clockwise.
  public func rotate(_ angle: Double) {
    guard angle.isFinite else { return fail("cannot rotate by \(angle)") }
    cairo_rotate(context, angle)
  }

  /// Draws from now on only inside a path, and inside what was clipped to before.
  ///
  /// - Complexity: O(elements + pixels) for what is no rectangle.
  public func clip(to path: Path, rule: FillRule = .winding) {
    guard trace(path) else { return }
    cairo_set_fill_rule(context, rule.cairo)
    cairo_clip(context)
  }

  /// Draws from now on only inside a rectangle, and inside what was clipped to before.
  public func clip(to rect: Rect) { clip(to: Path(rect)) }

  /// Calls `body` with the context of Cairo, a `cairo_t`, for what is missing here.
  ///
  /// What it changes of the context, also its current path, is undone after it. The context must not be used
  /// after `body` has returned, nor be destroyed. What goes wrong in Cairo becomes ``error``.
  @discardableResult
  public func withCairo<Result, Failure: Error>(
    _ body: (_ context: OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try nested(body)
  }

  private func clipAll() {
    cairo_new_path(context)
    cairo_rectangle(context, 0, 0, 0, 0)
    cairo_clip(context)
  }
}
