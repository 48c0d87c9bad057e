public import AsyncRuntime
internal import Synchronization

/// What layers have in common: the runtime, the lanes on which they are drawn, the display pass at the end of
/// each turn of a run loop, and the queue on which old pictures are let go of.
///
/// ```swift
/// let renderer = Renderer(lanes: .workers(count: 2))
/// let layer = RenderLayer(size: size, renderer: renderer) { _ in drawing }
/// ```
///
/// All layers that were asked to display in a turn are displayed in one pass, at its end, in the order in
/// which they were asked; at order 2 000 000 among what else is done there, as Core Animation's. The run loop is
/// woken for the first of them only. Between two passes it leaves nothing behind, so what is asked for while a
/// turn ends comes at the end of the next one, for which the loop is woken: also where it is asked for at a lower
/// order, by a transaction say, which in Core Animation is displayed in the same turn.
///
/// That loop is the one of the main lane unless the renderer is handed another. What is said of layers to happen
/// on the main lane happens on it.
///
/// A runtime that has a trace is told of each layer as a span, of each display as a part of it, on the lane where
/// it is drawn, and of each `willDisplay` and `didDisplay`; so it finds `wasted-drawing`.
///
/// On the live clock, drawing lanes are served by the threads of the runtime's pool. A lane goes on on the thread on
/// which it is, and otherwise gets the one that has rested the shortest, so layers are drawn on the same few. These
/// stay as long as the runtime, `LiveRuntime.defaultWidth` of them, and so does what a thread has set up for text.
public final class Renderer: Sendable {
  /// The lanes on which layers are drawn.
  public enum Lanes: Sendable, Hashable {
    /// Serial queues, which take turns: each gets the next drawing, whatever waits there.
    ///
    /// - Parameter count: as many as the machine has cores unless given, at most 16.
    case queues(count: Int? = nil)
    /// Workers, who take what has the highest priority of all that waits.
    ///
    /// - Parameter count: how many draw side by side; as many as the machine has cores unless given.
    case workers(count: Int? = nil)
  }

  /// Where time and threads come from.
  public let runtime: any Runtime
  /// At the end of whose turns layers are displayed, and where they are shown.
  public let loop: any RunLoopScheduler
  /// How long a turn may be held by a display pass; nil for as long as it takes.
  public var turnLimit: Duration? { turns.limit }
  /// For how long pictures are gathered to be shown together; nil if none waits.
  public var showInterval: Duration? { loopQueue.interval }
  /// Whether the trace of the runtime records its layers.
  let isTraced: Bool
  let lanes: any DrawingLanes
  /// Lets go of what was shown.
  let releaseQueue: ReleaseQueue
  /// What is to be done on the loop.
  let loopQueue: LoopQueue
  /// How many drawings wait or are under way.
  private let outstanding = Atomic<Int>(0)

  private let turns: DisplayTurns
  private let sum = Locked(DisplayFigures())

  /// The one of all layers that are given no other: as many queues as there are cores, on the live clock.
  public static let shared = Renderer()

  /// A renderer.
  ///
  /// - Parameters:
  ///   - lanes: where its layers are drawn.
  ///   - loop: at the end of whose turns they are displayed, and where they are shown; that of the main lane if
  ///     it is nil. Its time is the runtime's.
  ///   - turnLimit: how long a display pass may hold the loop. When it is over the pass begins no further
  ///     layer; the others come in the next turn, in order, and the loop is woken for them. One layer comes in
  ///     any case. What it counts is what is done on the loop: `task`, `willDisplay`, and synchronous drawing.
  ///   - showInterval: for how long pictures are gathered, while there is more to draw, to be shown together: a
  ///     millisecond unless given, since to wake the loop for each takes about as long as a tenth of a small drawing.
  ///     They are shown with the first that is drawn after it; if none is, when they have waited for four times as
  ///     long. nil to show each as soon as the loop has time. The first after such a while is shown at once, and so is
  ///     the last. A long one has more drawn in vain where layers change faster than they can be drawn.
  ///   - runtime: where time and threads come from.
  ///   - isTraced: whether the trace of the runtime records its layers and their displays. Pass false if other code
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

  /// When in a turn the layers are displayed: where Core Animation has its commit, too. Actions with a lower order come
  /// before that; see `RunLoopScheduler.atEndOfTurn(order:_:)`.
  public static let displayOrder = 2_000_000

  /// How many drawings can be under way at once, as long as the pool has workers for them.
  public var laneCount: Int { lanes.count }

  /// What has become of what was asked of all its layers, also of those that have gone.
  public var figures: DisplayFigures { sum.withLock { $0 } }

  // MARK: For its layers

  func add(_ figures: DisplayFigures) { sum.withLock { $0 += figures } }

  /// Displays a layer at the end of the turn.
  func enter(_ storage: RenderLayerStorage) { turns.enter(storage) }

  /// A drawing waits for a lane.
  func enqueue(_ drawing: Drawing, at priority: DisplayPriority) {
    outstanding.add(1, ordering: .relaxed)
    lanes.enqueue(drawing, at: priority)
  }

  /// A drawing has been drawn, or was called off while it waited.
  ///
  /// - Returns: whether it was the last.
  func leave() -> Bool { outstanding.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

  /// Whether no drawing waits or is under way.
  var isIdle: Bool { outstanding.load(ordering: .acquiring) == 0 }

  /// Lets go of a picture off the main lane.
  func release(_ picture: consuming Picture) { releaseQueue.release(picture) }

  /// Runs `body` on the loop, at once if the caller is there.
  func onLoop(_ body: @escaping @Sendable () -> Void) {
    if loop.isCurrent { body() } else { loopQueue.schedule(body) }
  }
}
