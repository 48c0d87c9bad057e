/// Handlers that run one after another: each gets a `then`, and calls it when the next one may run.
///
/// ```swift
/// HandlerChain([
///   { then in animator.animate(opacity: 1) { then() } },
///   { then in animator.animate(opacity: 0) { then() } },
/// ])
/// ```
///
/// Handlers can be added while it runs. It lives until they have run; nobody needs to hold it. A `then`
/// that is called twice is reported and has no effect the second time; one that is let go of uncalled is
/// reported and the chain goes on. Handlers that call `then` at once need no stack, however many.
public final class HandlerChain: Sendable {
  /// Lets the next handler run.
  public typealias Then = @Sendable () -> Void
  public typealias Handler = @Sendable (_ then: @escaping Then) -> Void

  private let queue: SerialQueue

  /// Runs `handlers`, and whatever is appended later.
  ///
  /// - Parameters:
  ///   - placement: where handlers run; the run loop unless said otherwise.
  ///   - runtime: where time and threads come from.
  ///   - isTraced: whether the trace of the runtime records the handlers. Pass false if other code records them.
  @discardableResult
  public init(
    _ handlers: [Handler] = [], on placement: Placement = .main,
    runtime: any Runtime = LiveRuntime.shared, isTraced: Bool = true,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    queue = SerialQueue("chain", on: placement, runtime: runtime, isTraced: isTraced)
    for handler in handlers { append(file: file, line: line, handler) }
  }

  /// Runs one handler, and whatever is appended later.
  @discardableResult
  public convenience init(
    on placement: Placement = .main, runtime: any Runtime = LiveRuntime.shared,
    file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping Handler
  ) {
    self.init([handler], on: placement, runtime: runtime, file: file, line: line)
  }

  /// Adds a handler to the end; it runs at once if the chain has come to its end before.
  public func append(
    file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping Handler
  ) {
    queue.enqueue(file: file, line: line) { done in handler { done() } }
  }

  /// Takes out all handlers that have not run.
  public func cancelPending() { queue.cancelPending() }

  /// Calls `handler` once, when all handlers appended so far have called `then`; at once if they have.
  public func onEnd(_ handler: @escaping @Sendable () -> Void) { queue.onDrained(handler) }
}
