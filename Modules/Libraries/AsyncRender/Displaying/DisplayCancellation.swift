public import AsyncRuntime

/// Tells the drawing code whether its drawing is still wanted.
///
/// Poll it between steps that take a while, or register a handler:
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
/// A synchronous display is never cancelled.
public struct DisplayCancellation: Sendable {
  /// Nil if it is never cancelled.
  private let sentinel: Sentinel?
  private let value: UInt64
  /// The cancellation of the drawing. It is a weak reference because a handler may hold this value.
  private weak let handlers: Cancellation?

  /// - Parameter value: the value of the sentinel when the drawing started.
  init(_ sentinel: Sentinel, since value: UInt64, notifying handlers: Cancellation?) {
    self.sentinel = sentinel
    self.value = value
    self.handlers = handlers
  }

  private init() {
    sentinel = nil
    value = 0
    handlers = nil
  }

  /// A cancellation that takes effect when the value of `sentinel` is no longer `value`. It is only noticed by polling:
  /// handlers that were registered before are not called.
  public init(_ sentinel: Sentinel, since value: UInt64) {
    self.init(sentinel, since: value, notifying: nil)
  }

  /// A cancellation that never takes effect.
  public static var never: DisplayCancellation { DisplayCancellation() }

  /// Whether the drawing is no longer wanted. Once true, it stays true.
  ///
  /// - Complexity: one atomic read.
  public func callAsFunction() -> Bool {
    guard let sentinel else { return false }
    return sentinel.value != value
  }

  /// Calls `handler` once when the drawing is cancelled, or immediately if it already is.
  ///
  /// The handler runs on the lane that cancels. If the layer was released, it runs on the pool.
  /// When the handler is called, polling already returns true.
  ///
  /// After the display block has returned, the handler is no longer called. There is one
  /// exception: if the drawing was cancelled before the block returned, a call may be in progress
  /// or about to be made. The handler is released with the drawing.
  @discardableResult
  public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Cancellation.Registration {
    if let handlers { return handlers.onCancel(handler) }
    if self() { handler() }
    return Cancellation().onCancel {}
  }
}
