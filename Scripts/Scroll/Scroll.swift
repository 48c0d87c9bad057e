import AsyncPatterns
import AsyncRender

/// A list that is flung, and its cost for the main thread.
public struct Scroll: Plugin {
  public static let name = "Scroll"
  public static let summary =
    "A list of text and shapes that is flung, shown at 60 frames a second."
  public static let patterns: [any AsyncPattern.Type] = [ScrollPattern.self, FigurePattern.self]
}

/// `scroll`: a list that is flung.
struct ScrollPattern: AsyncPattern {
  static let manual = Manual(
    name: "scroll",
    summary:
      "Flings a list, whose rows are drawn off the main thread, on it, or as in YYAsyncLayer.",
    discussion: """
      A list of posts, each a card with an avatar, a curve and a badge, and on it three lines of \
      text in several scripts, is flung from its first row to its last: fast, then slower and \
      slower. At 60 frames a second the main lane moves it, makes rows for the posts that come \
      into view, and releases rows that leave. A row's text is set immediately, the number in its \
      badge 50 ms later, and until then the text is pale. Each change commits a transaction, which \
      requests a display at the end of the turn: of the card, or of the text, which is a \
      TextLabel.

      A frame is missed if the main thread has not finished it when the next one is due; frames \
      that become due meanwhile are missed, too. A row is late if its card and text are not shown \
      in the frame after the row came into view. It is unseen if it leaves before that. A \
      drawing, of a card or of a text, is wasted if it started and was never shown. The run ends \
      when the list has stopped, all rows in view are shown, and no drawing is in progress.

      The value is all figures, each with its name: frames; missed frames; the longest time for \
      which the main thread ran nothing else (stall); its processor time per frame, not exceeded \
      in 99 of 100 frames (share); rows that came into view, late rows, unseen rows; drawings that \
      started, and wasted drawings (wasted: counts drawings, not rows). yields selects one of \
      them; or a cost measured for the virtual clock: the median time to draw a card or a text \
      (card, text), and the main thread's time for a row (setup); or the picture of the final \
      screen. scroll.figure yields the same for the last fling.

      On the virtual clock cards are not drawn: card and text take the given costs, or with costs: \
      measured the costs that the last asynchronous fling on the live clock measured, which differ \
      each time.

      The trap of YYAsyncLayer: its queues hold the layers of rows that have left, and draw them \
      all; and a display that is cancelled before it is drawn has no didDisplay.
      """,
    parameters: ScrollSettings.parameters, steps: .none,
    examples: [
      "scroll(rows: 100, duration: 300ms)",
      "scroll(100, 300ms, drawing: sync, yields: stall)",
    ])

  private let settings: ScrollSettings

  init(_ arguments: Arguments) throws { settings = try ScrollSettings(arguments) }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let (fonts, costs): (PostDrawing.Fonts, ScrollCosts)
    do {
      (fonts, costs) = (try PostDrawing.Fonts(), try settings.costs(on: scope.runtime.clockKind))
    } catch {
      return completion(.failure(error))
    }
    let registration = Locked<Cancellation.Registration?>(nil)
    let screen = Screen(settings, costs: costs, fonts: fonts, in: scope) { [settings] screen in
      registration.withLock { $0 }?.dispose()
      completion(Self.result(of: screen, settings, in: scope))
    }
    let cancelled = scope.onCancel { scope.runtime.main.schedule { screen.end() } }
    registration.withLock { $0 = cancelled }
    scope.runtime.main.schedule {
      if !scope.isCancelled { screen.begin() }
    }
  }

  /// Called on the main lane.
  private static func result(
    of screen: Screen, _ settings: ScrollSettings, in scope: Scope
  ) -> Result<Value, any Error> {
    if scope.isCancelled { return .failure(CancellationError()) }
    let report = ScrollReport(screen)
    let counts = report.counts
    if counts.ended < counts.announced {
      scope.misuse(
        "missing-did-display",
        "willDisplay was called \(counts.announced) times, but didDisplay \(counts.ended), so a spinner of a row "
          + "stays; call didDisplay on every path, even where a drawing is cancelled before it starts"
      )
    }
    LastFlings.note(report, of: settings.drawing, on: scope.runtime.clockKind)
    return switch settings.yields {
    case .report: .success(report.value)
    case .figure(let figure): .success(report[figure])
    case .picture: Result { .data(try screen.list.picture().pngData()) }
    }
  }
}
