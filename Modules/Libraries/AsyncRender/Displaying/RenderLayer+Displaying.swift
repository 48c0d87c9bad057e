extension RenderLayer {
  /// Requests a display at the end of this turn of the main lane. An action at the end of a turn may call it, too. The
  /// display then comes at the end of the next turn, unless this turn's display pass is still due. A display in
  /// progress is cancelled first, if ``policy`` allows that.
  ///
  /// - Returns: the request, which can be awaited.
  /// - Complexity: O(1). Wakes the run loop only for the first layer that requests a display in a turn.
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

  /// If a display has been requested, starts it now instead of at the end of the turn. From another lane, the display
  /// starts as soon as the main lane gets to it. The layer is shown alone, even if it is in a group.
  ///
  /// Does nothing while displaying is suspended, or while ``policy`` protects a drawing in progress. The same is true
  /// for a call from `task`, `willDisplay` or a synchronous display of the same layer. The requested display then
  /// follows later.
  public func displayIfNeeded() {
    storage.renderer.onLoop { [self] in storage.display(self) { $0.begin(&$1) } }
  }

  /// Displays the layer synchronously, whether or not a display was requested. Called on the main lane, it returns when
  /// the layer has been drawn and shown. From another lane, the display runs as soon as the main lane gets to it.
  ///
  /// A display in progress is cancelled; the synchronous display itself is never cancelled. Called during a synchronous
  /// display of the same layer, or while any display of it is prepared, it only requests a display.
  public func displayImmediately() {
    storage.renderer.onLoop { [self] in storage.display(self) { $0.beginSynchronously(&$1) } }
  }

  /// Cancels all requested displays, including one in progress. Their requests end with an error, and the contents stay
  /// as they are.
  public func cancelDisplay() {
    storage.update { state, effects in state.cancel(&effects) }
  }

  /// Cancels all requested displays as ``cancelDisplay()`` does, and shows nothing. On the main lane, the contents are
  /// cleared immediately; from another lane, as soon as the main lane gets to it. A reused list row calls this method
  /// before it shows another item.
  ///
  /// Displays that are requested afterwards are shown.
  public func clearContents() {
    let last = storage.update { state, effects in
      state.cancel(&effects)
      return state.displayCount
    }
    storage.renderer.onLoop { [storage] in storage.clearContents(since: last) }
  }

  // MARK: Waiting

  /// Waits until every display requested so far is shown, or a later display instead. Returns
  /// immediately if this is already so.
  ///
  /// The caller holds the layer while it waits. To wait without holding it, use
  /// ``DisplayRequest/value``.
  ///
  /// - Returns: the picture that the layer then shows.
  /// - Throws: `DisplayError`, or `CancellationError` as soon as the calling task is cancelled.
  @discardableResult
  public func displayed() async throws -> Picture? { try await lastRequest.value }

  /// Calls `handler` on the main lane, after `didDisplay`, when every display requested so far is shown. Also calls it
  /// if these displays will certainly never be shown.
  @discardableResult
  public func onDisplayed(
    _ handler: @escaping @Sendable (Result<Picture?, DisplayError>) -> Void
  ) -> DisplayRequest.Waiting {
    lastRequest.onCompletion(handler)
  }

  private var lastRequest: DisplayRequest {
    DisplayRequest(storage: storage, number: storage.read(\.requested))
  }
}
