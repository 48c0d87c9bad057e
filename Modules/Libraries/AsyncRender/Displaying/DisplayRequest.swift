public import AsyncRuntime

/// That a layer was asked to display. It does not hold the layer.
///
/// ```swift
/// let picture = try await layer.setNeedsDisplay().value
/// ```
///
/// It is over when a display that began afterwards is shown, when all displays were cancelled for good, when
/// there was nothing to draw on, or when the layer has gone. A display that is only overtaken by a later one
/// does not end it: the later one does.
public struct DisplayRequest: Sendable {
  let storage: RenderLayerStorage
  let number: UInt64

  /// Waits until it is over.
  ///
  /// - Returns: what the layer shows then.
  /// - Throws: `DisplayError`, or `CancellationError` as soon as the calling task is cancelled.
  public var value: Picture? {
    get async throws {
      let waiting = Locked<Waiting?>(nil)
      defer { waiting.withLock { $0 }?.cancel() }
      return try await AwaitedResult<Picture?>.wait { bring in
        let begun = onEnd { result in bring(result.mapError { $0 }) }
        waiting.withLock { $0 = begun }
      }
    }
  }

  /// Calls `handler` once on the main lane, after `didDisplay`, when it is over; as soon as can be if it is.
  @discardableResult
  public func onEnd(
    _ handler: @escaping @Sendable (Result<Picture?, DisplayError>) -> Void
  ) -> Waiting {
    let waiter = storage.update { [number] state, effects in
      state.wait(for: number, handler, &effects)
    }
    return Waiting(storage: storage, waiter: waiter)
  }

  /// Somebody waits for a request.
  public final class Waiting: Cancellable {
    private let storage: RenderLayerStorage
    /// Nil if there was nothing to wait for.
    private let waiter: UInt64?

    init(storage: RenderLayerStorage, waiter: UInt64?) {
      self.storage = storage
      self.waiter = waiter
    }

    /// Stops waiting; the display goes on.
    public func cancel() {
      guard let waiter else { return }
      // Let go of after the lock: what the handler holds may run code of its own.
      let listener = storage.update { state, _ in state.forgetWaiter(waiter) }
      withExtendedLifetime(listener) {}
    }
  }
}
