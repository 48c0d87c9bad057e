import AsyncPatterns

/// Says how far an exploration is that takes its time, on a line that is gone when it ends.
@MainActor
final class ExplorationProgress {
  private static let patience = Duration.seconds(1)
  private static let interval = Duration.milliseconds(250)

  private let execution: ExplorationExecution
  private let console: Console
  private let start = LiveRuntime.shared.now
  private var timer: (any Cancellable)?

  init(_ execution: ExplorationExecution, on console: Console) {
    self.execution = execution
    self.console = console
    showAgain(after: Self.patience)
  }

  func stop() {
    timer?.cancel()
    timer = nil
    console.showPassing(nil)
  }

  private func showAgain(after delay: Duration) {
    timer = LiveRuntime.shared.main.schedule(after: delay) { [weak self] in
      MainActor.assumeIsolated { self?.show() }
    }
  }

  private func show() {
    guard timer != nil else { return }
    let count = execution.schedules
    let seconds = start.duration(to: LiveRuntime.shared.now) / .seconds(1)
    let isSearching = count < execution.plan.exploration.schedules
    console.showPassing(
      isSearching
        ? "  \(count) schedules, \(Int(Double(count) / seconds)) per second; Ctrl-C calls it off"
        : "  \(count) schedules; making the one that violates it simple")
    showAgain(after: Self.interval)
  }
}
