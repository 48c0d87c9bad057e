/// A layer whose contents are drawn off the main lane. A drawing is cancelled when it is no longer wanted.
///
/// ```swift
/// let label = RenderLayer(size: Size(width: 300, height: 44)) { _ in
///   let title = song.title
///   return DisplayTask { canvas, size, isCancelled in
///     draw(title, on: canvas)
///   }
/// }
/// label.setNeedsDisplay()
/// let picture = try await label.displayed()
/// ```
///
/// - ``setNeedsDisplay()`` requests a display. However often it is called in a turn of the main
///   lane, one display starts at the end of that turn. First `task` runs on the main lane and
///   returns the work. Then its `display` draws on a drawing lane. Finally ``contents`` is set on
///   the main lane.
/// - When a new request arrives before a display is finished, ``policy`` decides whether the
///   display is cancelled or continues. A cancelled display never sets the contents: the old
///   contents stay until new ones are ready.
/// - Each `willDisplay` is followed by exactly one `didDisplay`, no matter when the display is cancelled, and even if
///   the layer has been released.
/// - A display does not retain its layer. Releasing the layer cancels its drawing.
/// - A layer that is smaller than one unit in either direction, or has no display block, shows nothing, both
///   asynchronously and synchronously.
/// - Every method may be called from any thread. The task, `willDisplay`, `didDisplay` and the layer's handlers are
///   called on the main lane. Nothing is called under a lock.
///
/// A display costs at most one hop to a drawing lane and one hop back. All pictures drawn before
/// the main lane runs are shown in one hop. The lane that finishes the next drawing releases the
/// previous picture. If no drawing is in progress, or if more than four MiB of pictures wait to be
/// released, a separate lane releases them all together. No thread is ever blocked.
///
/// A layer does no layout and no compositing. Its ``opacity`` is only for code that composites
/// layers.
///
/// The layer is modelled on YYAsyncLayer (ibireme, 2015) and on the layers of Texture (Facebook,
/// 2014).
public final class RenderLayer: Sendable {
  let storage: RenderLayerStorage

  /// Creates a layer that shows nothing until a display is requested.
  ///
  /// - Parameters:
  ///   - size: in units.
  ///   - scale: pixels per unit.
  ///   - isOpaque: whether the layer has no transparency.
  ///   - opacity: for the code that composites layers, from 0 to 1. Values outside are clamped, and a value that is not
  ///     a number counts as 1.
  ///   - displaysAsynchronously: whether it is drawn on a drawing lane; otherwise it is drawn on the main lane.
  ///   - policy: what happens to an unfinished drawing when a new request arrives.
  ///   - renderer: what the layer shares with other layers, including the runtime.
  ///   - label: the name of the layer in reports and traces.
  ///   - task: returns the work of one display. It is called on the main lane, before `willDisplay`.
  public init(
    size: Size, scale: Double = 1, isOpaque: Bool = false, opacity: Double = 1,
    displaysAsynchronously: Bool = true, policy: DisplayPolicy = .cancelLatest,
    renderer: Renderer = .shared, label: String = "layer",
    task: @escaping @Sendable (_ layer: RenderLayer) -> DisplayTask
  ) {
    var state = RenderLayerState(look: .init(size: size, scale: scale, isOpaque: isOpaque))
    state.opacity = opacity
    state.displaysAsynchronously = displaysAsynchronously
    state.policy = policy
    storage = RenderLayerStorage(state, on: renderer, label: label, task: task)
    storage.adopt(self)
  }

  deinit { storage.vanish() }

  /// The renderer, shared with other layers.
  public var renderer: Renderer { storage.renderer }

  // MARK: Appearance

  /// The size in units. A change of `size`, `scale` or `isOpaque` applies from the next display on,
  /// which must be requested separately.
  public var size: Size {
    get { storage.read(\.look.size) }
    set { storage.update { state, _ in state.look.size = newValue } }
  }

  /// Pixels per unit.
  public var scale: Double {
    get { storage.read(\.look.scale) }
    set { storage.update { state, _ in state.look.scale = newValue } }
  }

  /// Whether the layer has no transparency.
  public var isOpaque: Bool {
    get { storage.read(\.look.isOpaque) }
    set { storage.update { state, _ in state.look.isOpaque = newValue } }
  }

  /// The opacity from 0 to 1, for code that composites layers. Values outside are clamped, and a
  /// value that is not a number is ignored. A change needs no display, and has no effect on its
  /// own.
  public var opacity: Double {
    get { storage.read(\.opacity) }
    set { storage.update { state, _ in state.opacity = newValue } }
  }

  /// The picture that the layer shows: the last one that was drawn and not cancelled. It is set only on the main lane.
  public var contents: Picture? { storage.read(\.contents) }

  /// Called on the main lane each time the contents change, before `didDisplay`.
  public var onContentsChange: (@Sendable (Picture?) -> Void)? {
    get { storage.read(\.onContentsChange) }
    set { storage.exchange(\.onContentsChange, newValue) }
  }

  /// The contents now, and after each change. A change is delivered after ``onContentsChange`` was called.
  ///
  /// Each access makes another sequence, for one consumer. A slow consumer gets only the latest contents, so at most one
  /// picture is kept for it. Failed and cancelled displays change nothing, and are not delivered. A sequence does not
  /// retain the layer, and ends when the layer is released. No lock is held while a picture is delivered.
  ///
  /// - Complexity: O(1). From then on each change costs O(*n*) for *n* sequences.
  public var contentsUpdates: AsyncStream<Picture?> { storage.contentsUpdates() }

  /// Called on the main lane each time a drawing fails because there is no canvas to draw on, before `didDisplay`. If
  /// this handler is not set and no code waits for the display, the failure is reported as `failed-display`.
  public var onFailure: (@Sendable (DrawingError) -> Void)? {
    get { storage.read(\.onFailure) }
    set { storage.exchange(\.onFailure, newValue) }
  }

  /// The error of the last display that was not cancelled; nil if that display succeeded, and before the first one.
  public var error: DrawingError? { storage.read(\.error) }

  // MARK: Displaying

  /// Whether the layer is drawn on a drawing lane; otherwise it is drawn on the main lane, at the end of the turn. A
  /// change applies from the next display on.
  public var displaysAsynchronously: Bool {
    get { storage.read(\.displaysAsynchronously) }
    set { storage.update { state, _ in state.displaysAsynchronously = newValue } }
  }

  /// What happens to an unfinished drawing when a new request arrives.
  public var policy: DisplayPolicy {
    get { storage.read(\.policy) }
    set { storage.update { state, _ in state.policy = newValue } }
  }

  /// The order in which waiting drawings get a worker. A change also applies to a drawing that is already waiting.
  /// `Renderer.Lanes.queues` ignores it.
  public var priority: Priority {
    get { storage.read(\.priority) }
    set { storage.setPriority(newValue) }
  }

  /// The group of layers with which this layer is shown together.
  public var group: DisplayGroup? {
    get { storage.read(\.group) }
    set { storage.exchange(\.group, newValue) }
  }

  /// Whether displaying is suspended. Requests are kept, and a display in progress is cancelled and requested again.
  /// After the suspension, one display follows for all requests, if there are any.
  ///
  /// `displayImmediately()` displays nevertheless.
  public var isDisplaySuspended: Bool {
    get { storage.read(\.isSuspended) }
    set {
      storage.update { state, effects in
        if newValue { state.suspend(&effects) } else { state.resume() }
      }
    }
  }

  /// Whether a display was requested and has not started.
  public var needsDisplay: Bool { storage.read(\.isMarked) }

  /// Whether a display that is still wanted is in progress: from before `willDisplay` until it is shown, fails or is
  /// cancelled. The `didDisplay` of a cancelled display may still be pending.
  public var isDisplaying: Bool { storage.read(\.isDisplaying) }

  /// Counts of the layer's requests and displays.
  public var metrics: DisplayMetrics { storage.read(\.metrics) }
}
