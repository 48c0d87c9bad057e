@_exported import AsyncRender
@_exported import PatternTesting

/// Layers on the virtual clock, and a log of their events in order.
final class Studio: Sendable {
  let runtime: SimulatedRuntime
  let renderer: Renderer
  let log = Log()

  init(workers: Int = 4, seed: UInt64 = 0, lanes: Renderer.Lanes = .queues()) {
    runtime = SimulatedRuntime(workers: workers, seed: seed)
    renderer = Renderer(lanes: lanes, runtime: runtime)
  }

  /// Milliseconds since the start.
  var time: Int { Int(runtime.now.nanoseconds / 1_000_000) }

  func note(_ what: String) { log.append("\(what)@\(time)") }

  /// Performs an action on the main lane at the given time.
  func at(_ milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
    let delay = Duration.ms(milliseconds) - .nanoseconds(runtime.now.nanoseconds)
    runtime.main.schedule(after: delay, action)
  }

  func run(until milliseconds: Int) {
    runtime.run(until: Instant(nanoseconds: Int64(milliseconds) * 1_000_000))
  }

  func run() { runtime.runUntilIdle() }

  /// A layer with numbered displays. Each display takes `steps` steps of the given duration and checks between them
  /// whether it is cancelled.
  func layer(
    _ name: String, size: Size = Size(width: 4, height: 4), step: Duration = .ms(5),
    steps: Int = 2, asynchronously: Bool = true, policy: DisplayPolicy = .cancelLatest
  ) -> RenderLayer {
    let count = Locked(0)
    return RenderLayer(
      size: size, displaysAsynchronously: asynchronously, policy: policy, renderer: renderer
    ) { [self] _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return task("\(name)\(number)", step, steps)
    }
  }

  func task(_ name: String, _ step: Duration = .ms(5), _ steps: Int = 2) -> DisplayTask {
    DisplayTask { [self] _, _, isCancelled in
      note("draw \(name)")
      for _ in 0..<steps {
        if isCancelled() { return note("stop \(name)") }
        runtime.work(for: step)
      }
      note("drawn \(name)")
    } willDisplay: { [self] _ in
      note("will \(name)")
    } didDisplay: { [self] layer, finished in
      note("did \(name) \(finished ? "shown" : "cancelled")\(layer == nil ? ", gone" : "")")
    }
  }

  /// Logs the result of the layer's current request.
  func wait(for layer: RenderLayer, _ name: String) {
    layer.onDisplayed { [self] result in note("\(name) \(result.summary)") }
  }
}

extension Result where Success == Picture?, Failure == DisplayError {
  /// The result as one word.
  var summary: String {
    switch self {
    case .success(let picture): picture == nil ? "shows nothing" : "shows a picture"
    case .failure(.cancelled): "was cancelled"
    case .failure(.layerGone): "lost its layer"
    case .failure(.failed): "failed"
    }
  }
}

extension DisplayMetrics {
  /// Whether the metrics are consistent while no display is in progress.
  var isBalanced: Bool { underWay == 0 && wastedTime <= drawingTime && coalesced <= requested }
}
