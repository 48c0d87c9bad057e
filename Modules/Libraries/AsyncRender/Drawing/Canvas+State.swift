internal import CCairo

extension Canvas {
  /// Calls `body`, then restores the transform and the clip.
  @discardableResult
  public func saved<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try nested { (_) throws(Failure) in try body() }
  }

  /// Moves the origin for all later drawing, in units.
  public func translate(x: Double, y: Double) {
    guard x.isFinite, y.isFinite else {
      return fail("cannot translate by (\(x), \(y)): use finite numbers")
    }
    cairo_translate(context, x, y)
  }

  /// Scales all later drawing. With a factor of 0, nothing is drawn.
  public func scale(x: Double, y: Double) {
    guard x.isFinite, y.isFinite else {
      return fail("cannot scale by (\(x), \(y)): use finite numbers")
    }
    guard x != 0, y != 0 else { return clipAll() }
    cairo_scale(context, x, y)
  }

  /// Scales all later drawing in both directions. With a factor of 0, nothing is drawn.
  public func scale(_ factor: Double) { scale(x: factor, y: factor) }

  /// Rotates all later drawing around the origin.
  ///
  /// - Parameter angle: in radians, clockwise.
  public func rotate(_ angle: Double) {
    guard angle.isFinite else { return fail("cannot rotate by \(angle): use a finite angle") }
    cairo_rotate(context, angle)
  }

  /// Restricts all later drawing to the inside of a path, within the current clip.
  ///
  /// - Complexity: O(elements + pixels) for a path that is not a rectangle.
  public func clip(to path: Path, rule: FillRule = .winding) {
    guard trace(path) else { return }
    cairo_set_fill_rule(context, rule.cairo)
    cairo_clip(context)
  }

  /// Restricts all later drawing to a rectangle, within the current clip.
  public func clip(to rect: Rect) { clip(to: Path(rect)) }

  /// Calls `body` with the Cairo context, a `cairo_t`, for functions that are missing here.
  ///
  /// Changes to the context, including its current path, are undone afterwards. The context must not be destroyed, nor
  /// used after `body` has returned. An error in Cairo becomes ``error``.
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
