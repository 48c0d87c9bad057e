/// Runs handlers one after another. Each handler gets a `then` and calls it when the next handler may run.
///
/// ```swift
/// HandlerChain([
///   { then in animator.animate(opacity: 1) { then() } },
///   { then in animator.animate(opacity: 0) { then() } },
/// ])
/// ```
///
/// Handlers can be added while the chain runs. The chain lives until all its handlers have run,
/// even without any reference to it. A second call of a `then` is reported and has no effect. If a
/// `then` is released without a call, this is reported and the chain continues. Handlers that call
/// `then` immediately use no additional stack, however many there are.
public final class HandlerChain: Sendable {
  /// Lets the next handler run.
  public typealias Then = @Sendable () -> Void
  public typealias Handler = @Sendable (_ then: @escaping Then) -> Void

  private let queue: SerialQueue

  /// Runs `handlers`, and the handlers that are appended later.
  ///
  /// - Parameters:
  ///   - placement: where the handlers run; by default the main run loop.
  ///   - runtime: the source of time and threads.
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

  /// Runs one handler, and the handlers that are appended later.
  @discardableResult
  public convenience init(
    on placement: Placement = .main, runtime: any Runtime = LiveRuntime.shared,
    file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping Handler
  ) {
    self.init([handler], on: placement, runtime: runtime, file: file, line: line)
  }

  /// Appends a handler. It starts when all earlier handlers have called `then`.
  public func append(
    file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping Handler
  ) {
    queue.enqueueWithCompletion(file: file, line: line) { done in handler(done.closure) }
  }

  /// Removes all handlers that have not started.
  public func cancelPending() { queue.cancelPending() }

  /// Calls `handler` once, when all handlers appended so far have called `then`. Calls it
  /// immediately if they already have.
  public func onCompletion(_ handler: @escaping @Sendable () -> Void) { queue.onDrained(handler) }
}
