import AsyncPatterns
import AsyncRender

/// `render`: a `TextLabel`, drawn on display queues.
struct RenderPattern: AsyncPattern {
  static let manual = Manual(
    name: "render",
    summary:
      "Shows a text that its steps change, drawn off the main lane; its value is the picture.",
    discussion: """
      A TextLabel shows a text. Each step is a change of it: it runs on the pool, what it yields, unless that is \
      none, is the new text, set on the main lane, and the layer is asked for a display. Steps run one after \
      another, each with the value of the one before it. At the end of a turn of the main lane one display begins \
      for all that was asked for in it, and it is drawn on one of the display queues, line by line: those are the \
      steps draw-1, draw-2 … The text that is there before the first step, text or a string as input, is \
      displayed at once; without steps there is nothing else. With from: pool the text is set on a lane of the pool; with \
      lifetime nobody holds the label any longer than that, what is drawn then is called off, and there is no \
      picture. When the last change is shown, the picture is the \
      value, as PNG: write "label.png" after it keeps it, and so does save.

      A change calls off the drawing under way, which stops before its next line. So the main lane is never held, \
      and nobody sees what is out of date. The trap is in the same sentence: changed faster than it can be drawn, a \
      label shows nothing new, and all drawing is for nothing: wasted-drawing, told where three drawings or \
      more were called off when they had begun, and more than half of the time drawn went into such. policy is the \
      cure: finish-then-latest lets the drawing under way end, and then draws what is there by then; \
      at-least-every lets one in so many end.

      For each willDisplay there is exactly one didDisplay, whenever a drawing is called off; render.yy shows what \
      comes of less. render.sync is the same without display queues. A failing step is the result, and calls off \
      what is drawn.

      On the live clock a line of text takes what it takes. On the virtual one it takes line-cost, by default what \
      each of 80 lines of 40 letters took on the machine where this was made; the picture is really drawn there \
      as well, and is the same.
      """,
    parameters: LabelTerms.parameters + [
      Parameter(
        "policy", .word(["cancel-latest", "finish-then-latest", "at-least-every"]),
        default: .string("cancel-latest"),
        summary: "what becomes of a drawing when the next change comes"),
      Parameter(
        "every", .integer(1...Int.max),
        summary: "with at-least-every: one in so many drawings is shown; 3 unless given"),
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
        "“every” says nothing without “policy: at-least-every”; add that, or leave it out",
        parameter: "every")
    }
    terms.callsOff = policy == .cancelLatest
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
      As render, with a label that does not display asynchronously: at the end of the turn it is drawn on the main \
      lane, to the end, and shown. Nothing is called off, and nothing overtakes anything.

      The trap is the main lane: as long as a text is drawn nothing else gets through there, no touch, no \
      animation, no completion. A list that is flung past draws every row of it there. One short label costs \
      less than the hop to a queue and back, so that is what it is good for.

      The way out is render.
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
    terms.callsOff = false
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
  /// A label for a course, which controls when it requests a display.
  fileprivate static func make(
    for course: LabelCourse, displaysAsynchronously: Bool = true,
    policy: DisplayPolicy = .cancelLatest
  ) -> LabelCourse.Layer {
    let look = course.terms.look
    let content = look.content("")
    // A synchronous display is never cancelled, but cancelling the run must not have to wait for it.
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
      callOff: { label.layer.cancelDisplay() }, contents: { label.layer.contents })
  }
}
