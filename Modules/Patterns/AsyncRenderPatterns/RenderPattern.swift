import AsyncPatterns
import AsyncRender

/// `render`: a `TextLabel`, drawn on display queues.
struct RenderPattern: AsyncPattern {
  static let manual = Manual(
    name: "render",
    summary:
      "Shows a text that its steps change, drawn off the main lane; its value is the picture.",
    discussion: """
      A TextLabel shows a text. Each step is a change of it: the step runs on the pool; its value, \
      unless it is none, is set as the text on the main lane, and the layer requests a display. \
      Steps run one after another, each with the value of the one before it. At the end of a turn \
      of the main lane one display starts for all requests of that turn. It is drawn on one of the \
      display queues, line by line: these drawings are the steps draw-1, draw-2 … The first text \
      is that of the argument text, or else the input, if there is one. It is displayed \
      immediately; without steps it is the only one. With from: pool, the text is set on a lane of \
      the pool. With lifetime, the pattern releases the label after that time; a drawing in \
      progress is then cancelled, and there is no picture. When the last change is shown, the \
      picture is the value, as PNG. To save it, follow it with write "label.png", or use save.

      A change cancels the drawing in progress, which stops before its next line. So the main lane \
      is never blocked, and no outdated picture is shown. The trap follows from that: a label that \
      changes faster than it can be drawn shows nothing new, and all drawing is wasted. \
      wasted-drawing reports this if at least three drawings were cancelled after they had \
      started, and these took more than half of the drawing time. The fix is policy: \
      finish-then-latest lets the drawing in progress finish, and then draws the latest text; \
      at-least-every lets one drawing in a given number finish.

      For each willDisplay there is exactly one didDisplay, no matter when a drawing is cancelled; \
      render.yy shows what happens otherwise. render.sync is the same without display queues. The \
      failure of a step is the result, and cancels the drawing.

      On the live clock a line of text takes its real time. On the virtual clock it takes \
      line-cost. By default this is 20us, the measured time of a line of 40 letters. The picture \
      is really drawn there as well, and is the same.
      """,
    parameters: LabelTerms.parameters + [
      Parameter(
        "policy", .word(["cancel-latest", "finish-then-latest", "at-least-every"]),
        default: .string("cancel-latest"),
        summary: "what happens to a drawing when the next change comes"),
      Parameter(
        "every", .integer(1...Int.max),
        summary: "with at-least-every: one drawing in this many is shown; 3 unless given"),
    ],
    ordering: .keepsOrder,
    examples: [
      "render(size: 300x60, text: \"Hello from a display queue\")",
      """
      render(font: "Serif Bold 24", color: "steelblue") { first: value "one moment"; pause: sleep 20ms; then: value "here" }
      expect outcome == success
      """,
      """
      set clock virtual
      render(text: "faster than a line", line-cost: 8ms) { frame: 6 * sleep 5ms }
      expect lints == wasted-drawing
      """,
      """
      set clock virtual
      render(text: "often enough", line-cost: 8ms, policy: finish-then-latest) { frame: 6 * sleep 5ms }
      expect lints == none
      """,
    ])

  private let terms: LabelTerms
  private let policy: DisplayPolicy

  init(_ arguments: Arguments) throws {
    var terms = try LabelTerms(arguments)
    let every = arguments["every"] == nil ? nil : try arguments.integer("every")
    policy =
      switch arguments["policy"] {
      case .string("finish-then-latest")?: .finishThenLatest
      case .string("at-least-every")?: .atLeastEvery(every ?? 3)
      default: .cancelLatest
      }
    if every != nil, arguments["policy"] != .string("at-least-every") {
      throw ArgumentError(
        "“every” has no effect without “policy: at-least-every”; add that, or leave “every” out",
        parameter: "every")
    }
    terms.cancelsOnChange = policy == .cancelLatest
    self.terms = terms
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    LabelCourse.start(terms, steps, input: input, in: scope, completion: completion) { course in
      TextLabel.make(for: course, policy: policy)
    }
  }
}

/// `render.sync`: a `TextLabel`, drawn on the main lane.
struct SynchronousRenderPattern: AsyncPattern {
  static let manual = Manual(
    name: "render.sync",
    summary: "Shows a text that its steps change, drawn on the main lane.",
    discussion: """
      Like render, with a label that does not display asynchronously: at the end of the turn it is \
      drawn on the main lane, to the end, and shown. No drawing is cancelled, and none overtakes \
      another.

      The trap is the main lane: while a text is drawn, it handles no touch, no animation and no \
      completion. A list that is flung draws every row there. One short label costs less than the \
      hop to a queue and back, so this is a good choice for it.

      The fix is render.
      """,
    parameters: LabelTerms.parameters,
    ordering: .keepsOrder,
    examples: [
      "render.sync(size: 300x60, text: \"Hello from the main lane\")",
      """
      set clock virtual
      render.sync(text: "one line", line-cost: 5ms) { first: value "a"; pause: sleep 10ms; then: value "b" }
      expect work == 10ms
      """,
    ])

  private let terms: LabelTerms

  init(_ arguments: Arguments) throws {
    var terms = try LabelTerms(arguments)
    terms.cancelsOnChange = false
    self.terms = terms
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    LabelCourse.start(terms, steps, input: input, in: scope, completion: completion) { course in
      TextLabel.make(for: course, displaysAsynchronously: false)
    }
  }
}

extension TextLabel {
  /// A label for a course. The course controls when the label requests a display.
  fileprivate static func make(
    for course: LabelCourse, displaysAsynchronously: Bool = true,
    policy: DisplayPolicy = .cancelLatest
  ) -> LabelCourse.Layer {
    let look = course.terms.look
    let content = look.content("")
    // A synchronous display is never cancelled, but the cancellation of the run must not have to wait for it.
    let interrupted = DisplayCancellation(course.sentinel, since: 0)
    let label = TextLabel(
      content.layout, color: content.color, background: content.background, size: look.size,
      scale: look.scale, displaysAsynchronously: displaysAsynchronously, policy: policy,
      renderer: Renderer(showInterval: nil, runtime: course.scope.runtime, isTraced: false),
      lineCost: look.lineCost,
      endOfTurn: { _, update in course.ask(update) },
      display: { label in
        let drawing = course.makeDrawing()
        return DisplayTask { canvas, size, isCancelled in
          let isCancelled = displaysAsynchronously ? isCancelled : interrupted
          drawing.draw(unless: { isCancelled() }) {
            label.display?(canvas, size, isCancelled)
            if let error = canvas.error { throw error }
          }
        } willDisplay: { _ in
          drawing.willDisplay()
        } didDisplay: { _, isFinished in
          drawing.didDisplay(isFinished)
        }
      })
    return LabelCourse.Layer(
      show: { label.text = $0 },
      needsDisplay: { [weak layer = label.layer] in layer?.needsDisplay ?? false },
      cancelDisplays: { label.layer.cancelDisplay() }, contents: { label.layer.contents })
  }
}
