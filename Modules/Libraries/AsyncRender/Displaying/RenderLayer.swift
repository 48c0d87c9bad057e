/// A layer whose contents are drawn off the main lane, and called off when they are not wanted any more.
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
/// - ``setNeedsDisplay()`` asks for a display. However often it is called in a turn of the main lane, one
///   begins at the end of it: `task` says what to do, on the main lane; its `display` draws on a drawing lane;
///   and on the main lane again ``contents`` is set.
/// - A display that is asked for anew before it is done is cancelled, or goes on, as ``policy`` says. One that is
///   cancelled never sets the contents: the old ones stay until the new ones are there.
/// - For each `willDisplay` there is exactly one `didDisplay`, whenever the display is cancelled, and also if
///   the layer has gone.
/// - Nobody holds the layer on account of its display: when it goes, its drawing is cancelled.
/// - Less than a unit in either direction, or without a display block, it shows nothing, in both ways of
///   display.
/// - All of it may be called from any thread. The task, `willDisplay`, `didDisplay` and what listens to the
///   layer are called on the main lane, and nothing is called under a lock.
///
/// A display costs one hop to a drawing lane and one back, or less: what is drawn before the main lane comes is shown
/// in one hop. What was shown before is let go of by who has drawn next; where nobody draws, or more than four MiB
/// wait, on a lane of its own, all pictures of a while together. No thread waits for anything. It does not do layout,
/// nor lay layers on each other: ``opacity`` is for who does.
///
/// After YYAsyncLayer (ibireme, 2015) and the layers of Texture (Facebook, 2014).
public final class RenderLayer: Sendable {
  let storage: RenderLayerStorage

  /// A layer that shows nothing until it is asked to display.
  ///
  /// - Parameters:
  ///   - size: in units.
  ///   - scale: pixels in a unit.
  ///   - isOpaque: whether it has no transparency.
  ///   - opacity: for whoever lays layers on each other, from 0 to 1; what is beyond counts as the nearest of
  ///     these, and what is no number as 1.
  ///   - displaysAsynchronously: whether it is drawn on a drawing lane; otherwise on the main one.
  ///   - policy: what becomes of a drawing when the layer is asked for anew.
  ///   - renderer: what it shares with other layers, the runtime among them.
  ///   - label: what reports and traces call it.
  ///   - task: what to do for one display; called on the main lane, before `willDisplay`.
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

  /// What it shares with other layers.
  public var renderer: Renderer { storage.renderer }

  // MARK: What it looks like

  /// In units. Like `scale` and `isOpaque` it counts from the next display on, which somebody has to ask for.
  public var size: Size {
    get { storage.read(\.look.size) }
    set { storage.update { state, _ in state.look.size = newValue } }
  }

  /// Pixels in a unit.
  public var scale: Double {
    get { storage.read(\.look.scale) }
    set { storage.update { state, _ in state.look.scale = newValue } }
  }

  /// Whether it has no transparency.
  public var isOpaque: Bool {
    get { storage.read(\.look.isOpaque) }
    set { storage.update { state, _ in state.look.isOpaque = newValue } }
  }

  /// For whoever lays layers on each other, from 0 to 1: what is beyond counts as the nearest of these, and what
  /// is no number changes nothing. It needs no display, and does nothing by itself.
  public var opacity: Double {
    get { storage.read(\.opacity) }
    set { storage.update { state, _ in state.opacity = newValue } }
  }

  /// What it shows: what was drawn last and not cancelled. Set on the main lane only.
  public var contents: Picture? { storage.read(\.contents) }

  /// Called on the main lane each time the layer shows something else, before `didDisplay`.
  public var onContentsChange: (@Sendable (Picture?) -> Void)? {
    get { storage.read(\.onContentsChange) }
    set { storage.exchange(\.onContentsChange, newValue) }
  }

  /// Called on the main lane each time something was to be drawn and there was nothing to draw on, before
  /// `didDisplay`. Where nobody listens, and nobody waits for the display, it is reported as `failed-display`.
  public var onFailure: (@Sendable (DrawingError) -> Void)? {
    get { storage.read(\.onFailure) }
    set { storage.exchange(\.onFailure, newValue) }
  }

  /// Why the last display that was not called off showed nothing new; nil if it did, and before the first.
  public var error: DrawingError? { storage.read(\.error) }

  // MARK: How it is displayed

  /// Whether it is drawn on a drawing lane; otherwise on the main one, at the end of the turn. It counts from the
  /// next display on.
  public var displaysAsynchronously: Bool {
    get { storage.read(\.displaysAsynchronously) }
    set { storage.update { state, _ in state.displaysAsynchronously = newValue } }
  }

  /// What becomes of a drawing when the layer is asked for anew.
  public var policy: DisplayPolicy {
    get { storage.read(\.policy) }
    set { storage.update { state, _ in state.policy = newValue } }
  }

  /// Which drawing goes first of those that wait for a worker; also of one that waits already. Queues do not
  /// heed it.
  public var priority: DisplayPriority {
    get { storage.read(\.priority) }
    set { storage.setPriority(newValue) }
  }

  /// What it is shown together with.
  public var group: DisplayGroup? {
    get { storage.read(\.group) }
    set { storage.exchange(\.group, newValue) }
  }

  /// Whether nothing of it is displayed: what is asked for is kept, and what is under way is cancelled and
  /// counts as asked for. When that is over one display follows for all of it, if there is any.
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

  /// Whether a display has been asked for that has not begun.
  public var needsDisplay: Bool { storage.read(\.isMarked) }

  /// Whether a display is under way that is still wanted: from before `willDisplay` until it is shown, has failed
  /// or is called off. Of one that is called off `didDisplay` may be still to come.
  public var isDisplaying: Bool { storage.read(\.isDisplaying) }

  /// What has become of what was asked of it.
  public var figures: DisplayFigures { storage.read(\.figures) }
}
