import AsyncRender

/// How rows are displayed, and how that is counted.
struct RowDisplays: Sendable {
  let runtime: any Runtime
  let tally: Tally
  let fonts: PostDrawing.Fonts
  /// How long a row takes to draw on a virtual clock, where nothing is drawn; on the live one that takes what it
  /// takes.
  let cost: Duration

  /// How far a display has come.
  private struct Progress: Sendable {
    /// How long was drawn; nil if that was not begun.
    var duration: Duration?
    var isComplete = false
  }

  /// What is to be done for one display of a post.
  ///
  /// - Parameter isPresent: whether its row is in view.
  func task(for post: Post, isPresent: @escaping @Sendable () -> Bool) -> RowTask {
    let progress = Locked(Progress())
    return RowTask(
      willDisplay: { [tally] in
        tally.main.enter()
        tally.noteAnnounced()
      },
      display: { canvas, isCancelled in
        let start = runtime.now
        let isComplete = draw(post, on: canvas, unless: isCancelled)
        let duration = start.duration(to: runtime.now)
        progress.withLock { $0 = Progress(duration: duration, isComplete: isComplete) }
      },
      didDisplay: { [tally] finished in
        tally.main.enter()
        let progress = progress.withLock { $0 }
        tally.noteEnded(
          progress.duration, isComplete: progress.isComplete, isSeen: finished && isPresent())
      })
  }

  /// - Returns: whether all of it has been drawn.
  private func draw(_ post: Post, on canvas: Canvas, unless isCancelled: () -> Bool) -> Bool {
    let drawing = PostDrawing(post: post, fonts: fonts)
    for part in 0..<PostDrawing.partCount {
      if isCancelled() { return false }
      switch runtime.clockKind {
      case .live: drawing.draw(part, on: canvas, unless: isCancelled)
      case .virtual: runtime.work(for: cost / PostDrawing.partCount)
      }
    }
    return !isCancelled()
  }
}
