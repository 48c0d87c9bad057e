import AsyncRender

/// Displays rows, and counts the displays.
struct RowDisplays: Sendable {
  /// The drawing times on a virtual clock. On the live clock, drawing takes its real time.
  struct Costs: Sendable {
    var card: Duration
    var text: Duration
  }

  let runtime: any Runtime
  let tally: Tally
  let fonts: PostDrawing.Fonts
  let costs: Costs

  /// The work for one display of the card of a post.
  func card(of post: Post) -> RowTask {
    let drawing = PostDrawing(post: post, fonts: fonts)
    return task(.card, in: PostDrawing.partCount, cost: costs.card) { part, canvas, _ in
      drawing.draw(part, on: canvas)
    }
  }

  /// The work for one display of a text, for layers that have no label of this library.
  func text(_ layout: TextLayout) -> RowTask {
    task(.text, in: 1, cost: costs.text) { _, canvas, isCancelled in
      canvas.draw(layout, at: .zero, color: .black, unless: isCancelled)
    }
  }

  private func task(
    _ kind: Tally.Kind, in parts: Int, cost: Duration,
    _ draw: @escaping @Sendable (_ part: Int, Canvas, _ isCancelled: () -> Bool) -> Void
  ) -> RowTask {
    RowTask(
      willDisplay: { [tally] in
        tally.main.enter()
        tally.noteAnnounced()
      },
      display: { canvas, isCancelled in
        let start = runtime.now
        switch runtime.clockKind {
        case .live:
          for part in 0..<parts where !isCancelled() { draw(part, canvas, isCancelled) }
        case .virtual:
          // Checks for cancellation as often as the drawing of a text, which checks before each line.
          for _ in 0..<PostDrawing.lineCount where !isCancelled() {
            runtime.work(for: cost / PostDrawing.lineCount)
          }
        }
        if !isCancelled() { tally.note(start.duration(to: runtime.now), of: kind) }
      },
      didDisplay: { [tally] _ in
        tally.main.enter()
        tally.noteEnded()
      })
  }
}
