import AsyncPatterns

extension Session {
  /// Loads plugins. Ctrl-C can cancel this; the result is then nil.
  ///
  /// - Parameter plugins: the plugins as text, for the line that shows the progress.
  func loading<Result: Sendable>(
    plugins: String, _ body: @escaping @MainActor @Sendable () async -> Result
  ) async -> Result? {
    let known = loadingTimes[plugins]
    let start = LiveRuntime.shared.now
    let result = await loading(
      "loading \(plugins): compiling and checking",
      known.map { ", took \($0.rounded) before" } ?? "",
      body)
    if result != nil { loadingTimes[plugins] = start.duration(to: LiveRuntime.shared.now) }
    return result
  }

  /// Performs work with the code of plugins or with typed Swift. Ctrl-C can cancel this; the result is then nil.
  ///
  /// - Parameters:
  ///   - work: what is done, for the line that shows the progress.
  ///   - remark: the text after the time in that line.
  func loading<Result: Sendable>(
    _ work: String, _ remark: String = "",
    _ body: @escaping @MainActor @Sendable () async -> Result
  ) async -> Result? {
    let task = Task { await body() }
    interruption.begin(CancellableWork { task.cancel() })
    let progress = ProgressLine(on: console, style, cancelledBy: interruption) { time in
      "\(work) for \(time.rounded)" + remark
    }
    let result = await task.value
    progress.stop()
    interruption.end()
    if let remark = library.takeRemarkOnCache() {
      console.complain(console.wrapped("note: " + remark))
    }
    return task.isCancelled ? nil : result
  }
}
