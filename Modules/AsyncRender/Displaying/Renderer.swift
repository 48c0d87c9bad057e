public import AsyncPatterns

/// What layers have in common: the runtime, the lanes on which they are drawn, the display pass at the end of
/// each turn of a run loop, and the queue on which old pictures are let go of.
///
/// ```swift
/// let renderer = Renderer(lanes: .workers(count: 2))
/// let layer = RenderLayer(size: size, renderer: renderer) { … }
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
/// On the live clock, drawing lanes are workers of the runtime's pool. The one that has rested the shortest gets
/// the next drawing, so one after another they are drawn on the same few threads, and what a thread has set up
/// for text stays there; a thread goes when it has had nothing to do for five seconds.
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
  /// What its layers tell the runtime's trace.
  let traced: LayerTrace.Subject
  let lanes: any DrawingLanes
  private let releaseQueue: ReleaseQueue

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
  ///   - runtime: where time and threads come from.
  public convenience init(
    lanes: Lanes = .queues(), on loop: (any RunLoopScheduler)? = nil, turnLimit: Duration? = nil,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    self.init(lanes: lanes, on: loop, turnLimit: turnLimit, runtime: runtime, tracing: .layers)
  }

  /// - Parameter traced: what its layers tell the runtime's trace.
  init(
    lanes: Lanes = .queues(), on loop: (any RunLoopScheduler)? = nil, turnLimit: Duration? = nil,
    runtime: any Runtime, tracing traced: LayerTrace.Subject
  ) {
    self.runtime = runtime
    self.loop = loop ?? runtime.main
    self.traced = traced
    self.lanes = lanes.make(on: runtime)
    releaseQueue = ReleaseQueue(on: runtime)
    turns = DisplayTurns(on: self.loop, limit: turnLimit)
  }

  /// How many drawings can be under way at once, as long as the pool has workers for them.
  public var laneCount: Int { lanes.count }

  /// What has become of what was asked of all its layers, also of those that have gone.
  public var figures: DisplayFigures { sum.withLock { $0 } }

  // MARK: For its layers

  func add(_ figures: DisplayFigures) { sum.withLock { $0 += figures } }

  /// Displays a layer at the end of the turn.
  func enter(_ storage: RenderLayerStorage) { turns.enter(storage) }

  /// Lets go of a picture off the main lane.
  func release(_ picture: consuming Picture) { releaseQueue.release(picture) }

  /// Runs `body` on the loop, at once if the caller is there.
  func onLoop(_ body: @escaping @Sendable () -> Void) {
    if loop.isCurrent { body() } else { loop.schedule(body) }
  }
}
