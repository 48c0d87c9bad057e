public import AsyncRuntime

/// A request for a display of a layer. It does not hold the layer.
///
/// ```swift
/// let picture = try await layer.setNeedsDisplay().value
/// ```
///
/// The request ends in one of four cases:
///
/// - a display that started after the request is shown;
/// - all displays are cancelled by `cancelDisplay()` or `clearContents()`;
/// - there is no canvas to draw on;
/// - the layer is released.
///
/// If a later display replaces a display, the request continues until the later one ends it.
public struct DisplayRequest: Sendable {
  let storage: RenderLayerStorage
  let number: UInt64

  /// Waits until the request ends.
  ///
  /// - Returns: what the layer shows then.
  /// - Throws: `DisplayError`, or `CancellationError` as soon as the calling task is cancelled.
  public var value: Picture? {
    get async throws {
      let waiting = Locked<Waiting?>(nil)
      defer { waiting.withLock { $0 }?.cancel() }
      return try await AwaitedResult<Picture?>.wait { bring in
        let begun = onCompletion { result in bring(result.mapError { $0 }) }
        waiting.withLock { $0 = begun }
      }
    }
  }

  /// Calls `handler` once on the main lane when the request ends. If a display was shown or failed, this is after its
  /// `didDisplay`. If the request has already ended, the handler is called as soon as possible.
  @discardableResult
  public func onCompletion(
    _ handler: @escaping @Sendable (Result<Picture?, DisplayError>) -> Void
  ) -> Waiting {
    let waiter = storage.update { [number] state, effects in
      state.wait(for: number, handler, &effects)
    }
    return Waiting(storage: storage, waiter: waiter)
  }

  /// A handler that waits for a request.
  public final class Waiting: Cancellable {
    private let storage: RenderLayerStorage
    /// Nil if there was nothing to wait for.
    private let waiter: UInt64?

    init(storage: RenderLayerStorage, waiter: UInt64?) {
      self.storage = storage
      self.waiter = waiter
    }

    /// Stops waiting. The display continues.
    public func cancel() {
      guard let waiter else { return }
      // The handler is released after unlocking, because what it holds may run code of its own.
      let handler = storage.update { state, _ in state.forgetWaiter(waiter) }
      withExtendedLifetime(handler) {}
    }
  }
}
