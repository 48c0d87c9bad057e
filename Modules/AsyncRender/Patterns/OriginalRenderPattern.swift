import AsyncPatterns

/// `render.yy`: a text in a `YYAsyncLayer`.
struct OriginalRenderPattern: AsyncPattern {
  static let manual = Manual(
    name: "render.yy",
    summary: "Shows a text that its steps change, as YYAsyncLayer does: some ends are never told.",
    discussion: """
      As render, in the way of YYAsyncLayer: setNeedsDisplay increases a sentinel, which calls off the drawing under \
      way; at the end of the turn willDisplay is called, and the drawing goes to one of as many serial queues as \
      there are workers, in turn; didDisplay tells whether it was finished. Wherever a drawing finds itself \
      called off it sees to didDisplay, but in one place: as the first thing in its queue it returns, and nothing \
      more is heard of it.

      The trap: whoever counts on an end for each beginning, a spinner that willDisplay shows and didDisplay hides, \
      waits for ever. So does this pattern, which completes when as many drawings have ended as have begun: \
      missing-did-display. Under seed 0 of the virtual clock a queue comes to a drawing before the next change \
      does; explore finds the schedules in which it does not. Cancelled, and after a failing step, it waits for \
      nobody.

      The way out is render: one didDisplay for each willDisplay, on every path.
      """,
    parameters: LabelLook.parameters,
    ordering: .keepsOrder,
    breaks: [.completesExactlyOnce],
    examples: [
      "render.yy(size: 300x60, text: \"Hello from a queue of old\")",
      """
      set clock virtual
      render.yy { draft: value "one moment"; final: value "here" }
      explore render.yy { draft: value "one moment"; final: value "here" }
      expect violations > 0
      """,
    ])

  private let look: LabelLook

  init(_ arguments: Arguments) throws { look = try LabelLook(arguments) }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    LabelCourse.start(look, steps, input: input, in: scope, completion: completion) { course in
      YYAsyncLayer.make(for: course)
    }
  }
}

extension YYAsyncLayer {
  /// A layer of a course's label. It has no scale: its units are pixels.
  fileprivate static func make(for course: LabelCourse) -> LabelCourse.Layer {
    let look = course.look
    let size = Size(width: look.size.width * look.scale, height: look.size.height * look.scale)
    let runtime = course.scope.runtime
    let layer = YYAsyncLayer(
      size: size, queues: queues(on: runtime), runtime: runtime
    ) {
      let drawing = course.makeDrawing()
      return DisplayTask {
        drawing.willDisplay()
      } display: { canvas, _, isCancelled in
        canvas?.scale(look.scale)
        if let canvas { drawing.draw(on: canvas, unless: isCancelled) }
      } didDisplay: { isFinished in
        drawing.didDisplay(isFinished)
      }
    }
    return LabelCourse.Layer(
      setNeedsDisplay: { layer.setNeedsDisplay() }, contents: { layer.contents })
  }
}
