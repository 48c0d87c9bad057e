import AsyncSimulation
import SerialAnimation

/// A layer on the virtual clock, and what happens to it, in order.
final class Stage: Sendable {
  let runtime: SimulatedRuntime
  let animator: LayerAnimator
  let layer = Layer("label")
  let log = Log()

  init(hertz: Double = 60) {
    runtime = SimulatedRuntime()
    animator = LayerAnimator(hertz: hertz, runtime: runtime)
  }

  /// Milliseconds since the start.
  var time: Int { Int(runtime.now.nanoseconds / 1_000_000) }

  /// Writes down when something called `name` ended, and how.
  func ending(_ name: String) -> @Sendable (Bool) -> Void {
    { [self] finished in log.append("\(name) \(finished ? "finished" : "unfinished")@\(time)") }
  }

  /// Does something on the main lane at a time.
  func at(_ milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
    let delay = Duration.ms(milliseconds) - .nanoseconds(runtime.now.nanoseconds)
    runtime.main.schedule(after: delay, action)
  }

  /// What the layer shows of its opacity at times, in thousandths.
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
