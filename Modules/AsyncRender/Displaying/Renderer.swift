public import AsyncPatterns

/// What layers have in common: the runtime, the lanes on which they are drawn, the display pass at the end of
/// each turn of its main lane, and the queue on which old pictures are let go of.
///
/// ```swift
/// let renderer = Renderer(lanes: .workers(count: 2))
/// let layer = RenderLayer(size: size, renderer: renderer) { … }
/// ```
///
/// All layers that were asked to display in a turn are displayed in one pass, at its end, in the order in
/// which they were asked; at order 2 000 000 among what else is done there, as Core Animation's. The run loop is
/// woken for the first of them only. Between two passes it leaves nothing behind.
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
  let lanes: any DrawingLanes
  private let releaseQueue: ReleaseQueue

  private struct State: Sendable {
    /// The pass at the end of the turn, if somebody has asked for one.
    var upcoming: DisplayPass?
    var figures = DisplayFigures()
  }

  private let state = Locked(State())

  /// The one of all layers that are given no other: as many queues as there are cores, on the live clock.
  public static let shared = Renderer()

  public init(lanes: Lanes = .queues(), runtime: any Runtime = LiveRuntime.shared) {
    self.runtime = runtime
    self.lanes = lanes.make(on: runtime)
    releaseQueue = ReleaseQueue(on: runtime)
  }

  /// How many drawings can be under way at once, as long as the pool has workers for them.
  public var laneCount: Int { lanes.count }

  /// What has become of what was asked of all its layers, also of those that have gone.
  public var figures: DisplayFigures { state.withLock { $0.figures } }

  // MARK: For its layers

  func add(_ figures: DisplayFigures) { state.withLock { $0.figures += figures } }

  /// Displays a layer at the end of the turn.
  func enter(_ storage: RenderLayerStorage) {
    let first = state.withLock { state in
      if let upcoming = state.upcoming {
        upcoming.add(storage)
        return DisplayPass?.none
      }
      let pass = DisplayPass()
      pass.add(storage)
      state.upcoming = pass
      return pass
    }
    if let first { first.schedule(on: runtime) { self.perform(first) } }
  }

  private func perform(_ pass: DisplayPass) {
    // Who asks from now on is displayed in the next turn.
    state.withLock { if $0.upcoming === pass { $0.upcoming = nil } }
    pass.perform(on: runtime)
  }

  /// Lets go of a picture off the main lane.
  func release(_ picture: consuming Picture) { releaseQueue.release(picture) }

  /// Runs `body` on the main lane, at once if that is the caller's.
  func onMain(_ body: @escaping @Sendable () -> Void) {
    if runtime.main.isCurrent { body() } else { runtime.main.schedule(body) }
  }
}
