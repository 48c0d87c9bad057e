import AsyncPatterns

extension Session {
  /// Performs work of the plugin loader, which Ctrl-C can cancel. Nil if it was cancelled.
  ///
  /// - Parameter names: the plugins to load, for the line that shows that it takes long. If empty, all.
  func loading<Result: Sendable>(
    _ names: [String] = [],
    _ body: @escaping @MainActor @Sendable () async -> Result
  ) async -> Result? {
    let task = Task { await body() }
    interruption.begin(CancellableWork { task.cancel() })
    let what = names.isEmpty ? "all plugins" : names.shortList
    let known = loadingTimes[what]
    let progress = ProgressLine(on: console, style) { time in
      "loading \(what): compiling and checking for \(time.rounded)"
        + (known.map { ", took \($0.rounded) before" } ?? "")
    }
    let start = LiveRuntime.shared.now
    let result = await task.value
    progress.stop()
    interruption.end()
    guard !task.isCancelled else { return nil }
    loadingTimes[what] = start.duration(to: LiveRuntime.shared.now)
    return result
  }
}
