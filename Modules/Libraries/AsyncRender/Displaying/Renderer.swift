public import AsyncRuntime
internal import Synchronization

/// The resources that layers share: the runtime, the lanes that draw, the display passes, and the
/// queue that releases old pictures. A display pass runs at the end of each turn of a run loop.
///
/// ```swift
/// let renderer = Renderer(lanes: .workers(count: 2))
/// let layer = RenderLayer(size: size, renderer: renderer) { _ in drawing }
/// ```
///
/// All layers that requested a display in a turn are displayed in one pass at its end, in the order of their requests.
/// Like Core Animation, the pass has order 2 000 000 among the actions at the end of a turn. Only the first request
/// wakes the run loop.
///
/// The renderer keeps no registration between two passes. So a display that is requested while a turn ends comes at the
/// end of the next turn, for which the loop is woken. The same is true for a request from an action with a lower order,
/// such as a transaction, unless a pass is already due. Core Animation would always display it in the same turn.
///
/// The loop is the one of the main lane, unless the renderer is given another. Where the documentation of layers says
/// “main lane”, it means this loop.
///
/// If the runtime has a trace, it records each layer as a span. Each display is a child of that span, on the lane that
/// draws it. The trace also records each `willDisplay` and `didDisplay`. The rule `wasted-drawing` uses these records.
///
/// On the live clock, the threads of the runtime's pool serve the drawing lanes. A lane continues on its current
/// thread, or else gets the thread that became idle last. So the same few threads draw all layers. By default,
/// `LiveRuntime.defaultWidth` threads live as long as the runtime, and so does the text setup of each of them.
public final class Renderer: Sendable {
  /// The lanes on which layers are drawn.
  public enum Lanes: Sendable, Hashable {
    /// Serial queues used in rotation: each new drawing goes to the next queue, however long that queue is.
    ///
    /// - Parameter count: the number of queues, at most 16. The default is the number of cores.
    case queues(count: Int? = nil)
    /// Workers that take the waiting drawing with the highest priority.
    ///
    /// - Parameter count: the number of drawings at the same time. The default is the number of
    ///   cores.
    case workers(count: Int? = nil)
  }

  /// The source of time and threads.
  public let runtime: any Runtime
  /// The loop that shows layers, and displays them at the end of its turns.
  public let loop: any RunLoopScheduler
  /// The time for which a display pass may hold a turn; nil for no limit.
  public var turnLimit: Duration? { turns.limit }
  /// The time for which pictures are collected to be shown together; nil if each is shown without
  /// delay.
  public var showInterval: Duration? { loopQueue.interval }
  /// Whether the trace of the runtime records the layers.
  let isTraced: Bool
  let lanes: any DrawingLanes
  /// Releases pictures that are no longer shown.
  let releaseQueue: ReleaseQueue
  /// The jobs for the loop.
  let loopQueue: LoopQueue
  /// The number of drawings that are queued or in progress.
  private let outstanding = Atomic<Int>(0)

  private let turns: DisplayTurns
  private let sum = Locked(DisplayMetrics())

  /// The default renderer: as many queues as there are cores, on the live clock.
  public static let shared = Renderer()

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - lanes: where its layers are drawn.
  ///   - loop: the loop that shows layers, and displays them at the end of its turns; nil for that of the main lane. It
  ///     must use the runtime's clock.
  ///   - turnLimit: the time for which a display pass may hold the loop. After that time the pass
  ///     starts no further layer. The others follow in the next turn, in order, and the loop is
  ///     woken for them. One layer is displayed in any case. Only work on the loop counts: `task`,
  ///     `willDisplay`, and synchronous drawing.
  ///   - showInterval: the time for which pictures are collected to be shown together while there
  ///     is more to draw. The default is a millisecond, because waking the loop takes about as long
  ///     as a tenth of a small drawing. The pictures are shown with the first picture that is drawn
  ///     after the interval, or else when four times the interval has passed. The first picture
  ///     after a pause is shown immediately, and so is the last one. Nil shows each picture as soon
  ///     as the loop has time. With a long interval, more drawings are wasted if layers change
  ///     faster than they can be drawn.
  ///   - runtime: the source of time and threads.
  ///   - isTraced: whether the trace of the runtime records the layers and their displays. Pass false if other code
  ///     records them.
  public init(
    lanes: Lanes = .queues(), on loop: (any RunLoopScheduler)? = nil, turnLimit: Duration? = nil,
    showInterval: Duration? = .milliseconds(1), runtime: any Runtime = LiveRuntime.shared,
    isTraced: Bool = true
  ) {
    self.runtime = runtime
    self.loop = loop ?? runtime.main
    self.isTraced = isTraced
    self.lanes = lanes.make(on: runtime)
    releaseQueue = ReleaseQueue(on: runtime)
    loopQueue = LoopQueue(on: self.loop, interval: showInterval)
    turns = DisplayTurns(on: loopQueue, limit: turnLimit)
  }

  /// The order of the display pass at the end of a turn, which is also that of Core Animation's commit. Actions with a
  /// lower order run before it; see `RunLoopScheduler.atEndOfTurn(order:_:)`.
  public static let displayOrder = 2_000_000

  /// The number of drawings that can be in progress at the same time, as long as the pool has
  /// workers for them.
  public var laneCount: Int { lanes.count }

  /// Counts of the requests and displays of all its layers, including released ones.
  public var metrics: DisplayMetrics { sum.withLock { $0 } }

  // MARK: For its layers

  func add(_ metrics: DisplayMetrics) { sum.withLock { $0 += metrics } }

  /// Displays a layer at the end of the turn.
  func enter(_ storage: RenderLayerStorage) { turns.enter(storage) }

  /// Queues a drawing for a lane.
  func enqueue(_ drawing: Drawing, at priority: Priority) {
    outstanding.add(1, ordering: .relaxed)
    lanes.enqueue(drawing, at: priority)
  }

  /// Called when a drawing has been drawn, or was cancelled while queued.
  ///
  /// - Returns: whether it was the last one.
  func leave() -> Bool { outstanding.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

  /// Whether no drawing is queued or in progress.
  var isIdle: Bool { outstanding.load(ordering: .acquiring) == 0 }

  /// Releases a picture off the main lane.
  func release(_ picture: consuming Picture) { releaseQueue.release(picture) }

  /// Runs `body` on the loop; immediately if the caller is on it.
  func onLoop(_ body: @escaping @Sendable () -> Void) {
    if loop.isCurrent { body() } else { loopQueue.schedule(body) }
  }
}
