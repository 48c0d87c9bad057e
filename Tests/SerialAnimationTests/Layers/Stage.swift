import AsyncSimulation
import SerialAnimation

/// A layer on the virtual clock, with a log of events.
final class Stage: Sendable {
  let runtime: SimulatedRuntime
  let animator: LayerAnimator
  let layer = Layer("label")
  let log = Log()

  init(hertz: Double = 60) {
    runtime = SimulatedRuntime()
    animator = LayerAnimator(hertz: hertz, runtime: runtime)
  }

  /// The time since the start, in milliseconds.
  var time: Int { Int(runtime.now.nanoseconds / 1_000_000) }

  /// Returns a completion that logs that the animation `name` ended, and whether it finished.
  func ending(_ name: String) -> @Sendable (Bool) -> Void {
    { [self] finished in log.append("\(name) \(finished ? "finished" : "unfinished")@\(time)") }
  }

  /// Runs an action on the main lane at a time.
  func at(_ milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
    let delay = Duration.ms(milliseconds) - .nanoseconds(runtime.now.nanoseconds)
    runtime.main.schedule(after: delay, action)
  }

  /// The opacity that the layer shows at the given times, in thousandths.
  func shown(at milliseconds: [Int]) -> [Int] {
    let shown = Locked<[Int]>([])
    for time in milliseconds {
      at(time) { [self] in
        let value = layer.presentation.opacity
        shown.withLock { $0.append(Int((value * 1000).rounded())) }
      }
    }
    runtime.runUntilIdle()
    return shown.withLock { $0 }
  }

  func animate(
    _ name: String, to opacity: Double, for duration: Duration = .ms(100),
    delay: Duration = .zero, _ options: AnimationOptions = .linear
  ) {
    animator.animate(
      withDuration: duration, delay: delay, options: options,
      animations: { [layer] in layer.opacity = opacity }, completion: ending(name))
  }
}

extension AnimationOptions {
  static var linear: AnimationOptions { AnimationOptions(timing: .curve(.linear)) }

  static func linear(_ change: (inout AnimationOptions) -> Void) -> AnimationOptions {
    var options = linear
    change(&options)
    return options
  }
}
