import AsyncPatterns

/// Shows the progress of a long exploration on a line that disappears when the exploration ends.
@MainActor
final class ExplorationProgress {
  private static let patience = Duration.seconds(1)
  private static let interval = Duration.milliseconds(250)

  private let total: Int
  private let count: @MainActor () -> Int
  private let console: Console
  private let start = LiveRuntime.shared.now
  private var timer: (any Cancellable)?

  /// - Parameters:
  ///   - total: the number of schedules to try.
  ///   - count: returns how many of them have been tried.
  init(of total: Int, on console: Console, _ count: @escaping @MainActor () -> Int) {
    self.total = total
    self.count = count
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
    let count = count()
    let seconds = start.duration(to: LiveRuntime.shared.now) / .seconds(1)
    let isSearching = count < total
    console.showPassing(
      isSearching
        ? "  \(count) schedules, \(Int(Double(count) / seconds)) per second; Ctrl-C cancels it"
        : "  \(count) schedules; simplifying the one with the violation")
    showAgain(after: Self.interval)
  }
}
