import AsyncGeometry
import AsyncRender
import AsyncRuntime
import AsyncSimulation
import RunLoopTransaction
import SerialAnimation

extension Workload {
  /// Two tasks commit transactions for the same ten targets, so most are merged. The loop performs the rest.
  static let transactions = Workload(name: "RunLoopTransaction", count: 10_000) {
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<500 {
            for target in Targets.all {
              Transaction(target, action: .layout).commit(to: Targets.queue)
            }
          }
        }
      }
    }
    await withCheckedContinuation { continuation in
      Targets.loop.schedule {
        _ = Targets.queue.flushNow()
        continuation.resume()
      }
    }
    precondition(Targets.queue.count == 0)
  }

  /// Animations of two frames, on a virtual clock.
  static let animation = Workload(name: "SerialAnimation", count: 1_000) {
    let runtime = SimulatedRuntime(workers: 2)
    let queue = SerialAnimationQueue("soak", runtime: runtime)
    let layer = Layer()
    for index in 0..<1_000 {
      queue.animate(withDuration: .milliseconds(20)) { layer.opacity = Double(index % 2) }
    }
    runtime.runUntilIdle()
    precondition(layer.opacity == 1)
  }

  /// Displays of small layers. A layer that is displayed again before its picture is shown cancels the drawing.
  static let render = Workload(name: "AsyncRender", count: 1_000) {
    let layers = (0..<100).map { _ in
      RenderLayer(size: Size(width: 8, height: 8)) { _ in
        DisplayTask { canvas, _, _ in canvas.fill(with: .color(.black)) }
      }
    }
    for round in 0..<10 {
      for layer in layers { layer.setNeedsDisplay() }
      guard round % 2 == 1 else { continue }
      for layer in layers { _ = try await layer.displayed() }
    }
  }
}

private final class Target: Sendable {}

private enum Targets {
  static let all = (0..<10).map { _ in Target() }
  static let loop = LiveRuntime.shared.runLoop("soak")
  static let queue = TransactionQueue(on: loop)
}

extension TransactionAction where Target == LibrarySoak.Target {
  fileprivate static let layout = TransactionAction("layout") { _ in }
}
