extension RenderLayer {
  /// Asks for a display at the end of this turn of the main lane, or of the next one if it is called at the end of
  /// one, at whatever order; what is under way is first called off, as ``policy`` says.
  ///
  /// - Returns: what has been asked for, to wait for.
  /// - Complexity: O(1). Wakes the run loop only for the first layer that asks in a turn.
  @discardableResult
  public func setNeedsDisplay() -> DisplayRequest {
    storage.trace?.asked()
    let isElsewhere = !storage.renderer.loop.isCurrent
    return DisplayRequest(
      storage: storage,
      number: storage.update { state, effects in
        state.request(isElsewhere: isElsewhere, &effects)
      })
  }

  /// Begins the display now if one has been asked for, without waiting for the end of the turn; from elsewhere
  /// than the main lane, as soon as that comes to it. It is shown alone, whatever its group.
  ///
  /// It does nothing while displaying is suspended, while a drawing is under way that ``policy`` protects, and
  /// from within `task`, `willDisplay` or a synchronous display of the same layer: what was asked for then comes
  /// when that is over.
  public func displayIfNeeded() {
    storage.renderer.onLoop { [self] in storage.display(self) { $0.begin(&$1) } }
  }

  /// Displays it synchronously, asked for or not: drawn and shown when this returns, if it is called on the main
  /// lane; from elsewhere, as soon as that comes to it.
  ///
  /// What is under way is called off, and this is never cancelled. Called in the course of a synchronous
  /// display of the same layer, or while one is prepared, it asks for one in the next turn.
  public func displayImmediately() {
    storage.renderer.onLoop { [self] in storage.display(self) { $0.beginSynchronously(&$1) } }
  }

  /// Calls off all that has been asked for, for good: whoever waits for it is told. The contents stay.
  public func cancelDisplay() {
    storage.update { state, effects in state.cancel(&effects) }
  }

  /// Calls off all that has been asked for, as ``cancelDisplay()``, and shows nothing: at once if it is called on the
  /// main lane; from elsewhere, as soon as that comes to it. A row does so that is to show something else.
  ///
  /// What is asked for afterwards is displayed.
  public func clearContents() {
    let last = storage.update { state, effects in
      state.cancel(&effects)
      return state.displayCount
    }
    storage.renderer.onLoop { [storage] in storage.clearContents(since: last) }
  }

  // MARK: Waiting

  /// Waits until all that has been asked for so far is shown, by whichever display; at once if it is.
  ///
  /// The caller holds the layer meanwhile. To wait and let it go: ``DisplayRequest/value``.
  ///
  /// - Returns: what is shown then.
  /// - Throws: `DisplayError`, or `CancellationError` as soon as the calling task is cancelled.
  @discardableResult
  public func displayed() async throws -> Picture? { try await lastRequest.value }

  /// Calls `handler` on the main lane, after `didDisplay`, when all that has been asked for so far is shown, or
  /// when it is certain that it never will be.
  @discardableResult
  public func onDisplayed(
    _ handler: @escaping @Sendable (Result<Picture?, DisplayError>) -> Void
  ) -> DisplayRequest.Waiting {
    lastRequest.onEnd(handler)
  }

  private var lastRequest: DisplayRequest {
    DisplayRequest(storage: storage, number: storage.read(\.requested))
  }
}
