public import AsyncRuntime

/// Whether a drawing is still wanted, for the code that draws.
///
/// Poll it between two things that take a while, or be told:
///
/// ```swift
/// DisplayTask { canvas, size, isCancelled in
///   isCancelled.onCancel { decoder.abort() }
///   for row in rows {
///     if isCancelled() { return }
///     draw(row, on: canvas)
///   }
/// }
/// ```
///
/// The one of a synchronous display is never cancelled.
public struct DisplayCancellation: Sendable {
  /// Nil: it is never cancelled.
  private let sentinel: Sentinel?
  private let value: UInt64
  /// The drawing's, and not held: a handler may hold this.
  private weak let handlers: Cancellation?

  /// - Parameter value: that of the sentinel when the drawing began.
  init(_ sentinel: Sentinel, since value: UInt64, telling handlers: Cancellation?) {
    self.sentinel = sentinel
    self.value = value
    self.handlers = handlers
  }

  private init() {
    sentinel = nil
    value = 0
    handlers = nil
  }

  /// One that is cancelled when a sentinel has another value than that.
  public init(_ sentinel: Sentinel, since value: UInt64) {
    self.init(sentinel, since: value, telling: nil)
  }

  /// One that is never cancelled.
  public static var never: DisplayCancellation { DisplayCancellation() }

  /// Whether nobody wants the drawing any more. It does not become wanted again.
  ///
  /// - Complexity: one atomic read.
  public func callAsFunction() -> Bool {
    guard let sentinel else { return false }
    return sentinel.value != value
  }

  /// Calls `handler` once when the drawing is cancelled, at once if that has been.
  ///
  /// It is called on the lane of whoever cancels, and from the pool if the layer has gone; polled, the
  /// drawing is cancelled by then. Once the display block has returned it is not called any more, unless
  /// it is being called just then, or about to be: the drawing was cancelled before it returned. It is let go of with
  /// the drawing.
  @discardableResult
  public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Cancellation.Registration {
    if let handlers { return handlers.onCancel(handler) }
    if self() { handler() }
    return Cancellation().onCancel {}
  }
}
