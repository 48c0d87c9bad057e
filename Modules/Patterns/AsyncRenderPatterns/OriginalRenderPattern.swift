import AsyncPatterns
import AsyncRender

/// `render.yy`: a text in a `YYAsyncLayer`.
struct OriginalRenderPattern: AsyncPattern {
  static let manual = Manual(
    name: "render.yy",
    summary: "Shows a text that its steps change, as YYAsyncLayer does, with its four faults.",
    discussion: """
      As render, in the way of YYAsyncLayer: setNeedsDisplay increases a counter, which calls off the drawing under \
      way; at the end of the turn willDisplay is called, and the drawing goes to one of as many serial queues as \
      there are workers, in turn; didDisplay tells whether it was finished. Nothing of it is locked as a whole, and \
      that has four consequences; render has none of them, whatever the arguments.

      An end that nobody tells. Wherever a drawing finds itself called off it sees to didDisplay, but in one \
      place: as the first thing in its queue it returns, and nothing more is heard of it. Whoever counts on an end \
      for each beginning, a spinner that willDisplay shows and didDisplay hides, waits for ever. So does this \
      pattern, which completes when as many drawings have ended as have begun: missing-did-display. It takes a change \
      that comes between the beginning and the queue: two in one instant or, better, three. Under seed 0 of the \
      virtual clock a queue comes to a drawing before the next change does; explore finds the schedules in which it \
      does not. Cancelling does not provoke it: cancelled, and after a failing step, it waits for nobody.

      Nothing to draw on. Displayed synchronously (display: sync), the size is not looked at: one below 1 in either \
      direction has no canvas, and the drawing fails. Asynchronously it shows nothing, as it should.

      A drawing for nobody. What waits in the queue holds the layer, so one that everybody has let go of (lifetime) \
      does not go, and calls nothing off: it is drawn to the end, and thrown away. wasted-drawing.

      What is out of date is shown. The counter is read, and then what was drawn is shown, and nothing keeps another \
      lane from increasing it in between: a change that does not come from main (from: pool) may be answered with \
      what it has called off, until the next drawing is through: stale-contents. explore finds the schedules.

      The way out is render: one didDisplay for each willDisplay on every path, the size looked at in both ways, the \
      layer held weakly, and decided and shown under one lock.
      """,
    parameters: LabelTerms.parameters + [
      Parameter(
        "display", .word(["async", "sync"]), default: .string("async"),
        summary: "whether it is drawn on a display queue, or on the main lane")
    ],
    ordering: .keepsOrder,
    breaks: [.completesExactlyOnce],
    examples: [
      "render.yy(size: 300x60, text: \"Hello from a queue of old\")",
      """
      set clock virtual
      render.yy { draft: value "one moment"; better: value "almost"; final: value "here" }
      explore render.yy { draft: value "one moment"; better: value "almost"; final: value "here" }
      expect violations > 0
      """,
      """
      set clock virtual
      render.yy(display: sync, size: 0x0, text: "on nothing")
      expect outcome == failure
      """,
      """
      set clock virtual
      render(size: 0x0, text: "on nothing")
      expect outcome == success
      explore render.yy(display: sync, size: 0x0, text: "on nothing") checking { expect outcome == success }
      expect violations > 0
      """,
      """
      set clock virtual
      render.yy(lifetime: 5ms, line-cost: 8ms, text: "for nobody")
      expect lints == wasted-drawing
      """,
      """
      set clock virtual
      render(lifetime: 5ms, line-cost: 8ms, text: "for nobody")
      expect lints == none
      explore render.yy(lifetime: 5ms, line-cost: 8ms, text: "for nobody") checking { expect lints == none }
      expect violations > 0
      """,
      """
      set clock virtual
      changes = [ draft: value "one moment"; pause: sleep 5ms; final: value "here" ]
      render(from: pool, line-cost: 5ms) changes
      expect lints == none
      explore render.yy(from: pool, line-cost: 5ms) changes checking { expect lints != stale-contents; expect outcome != failure }
      expect violations > 0
      """,
    ])

  private let terms: LabelTerms
  private let displaysAsynchronously: Bool

  init(_ arguments: Arguments) throws {
    var terms = try LabelTerms(arguments)
    displaysAsynchronously = arguments["display"] != .string("sync")
    terms.callsOff = displaysAsynchronously
    terms.tellsAllEnds = false
    self.terms = terms
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    LabelCourse.start(terms, steps, input: input, in: scope, completion: completion) { course in
      YYAsyncLayer.make(for: course, displaysAsynchronously: displaysAsynchronously)
    }
  }
}

extension YYAsyncLayer {
  /// A layer for the text of a course. It has no scale: its units are pixels.
  fileprivate static func make(
    for course: LabelCourse, displaysAsynchronously: Bool
  ) -> LabelCourse.Layer {
    let look = course.terms.look
    let size = Size(width: look.size.width * look.scale, height: look.size.height * look.scale)
    let runtime = course.scope.runtime
    let text = Locked("")
    let layer = YYAsyncLayer(size: size, queues: Queues(on: runtime), runtime: runtime) {
      let content = look.content(text.withLock { $0 })
      let drawing = course.makeDrawing()
      return DisplayTask {
        drawing.willDisplay()
      } display: { canvas, _, isCancelled in
        drawing.draw(unless: isCancelled) {
          guard let canvas else { throw StepFailure(nothingToDrawOn(drawing, size)) }
          canvas.scale(look.scale)
          content.draw(on: canvas, look.size, lineCost: look.lineCost, runtime: runtime) {
            isCancelled() || course.isOver
          }
          if let error = canvas.error { throw error }
        }
      } didDisplay: { isFinished in
        drawing.didDisplay(isFinished)
      }
    }
    layer.displaysAsynchronously = displaysAsynchronously
    return LabelCourse.Layer(
      show: { shown in
        text.withLock { $0 = shown }
        course.ask { layer.setNeedsDisplay() }
      }, needsDisplay: { [weak layer] in layer?.needsDisplay ?? false },
      contents: { layer.contents })
  }

  private static func nothingToDrawOn(_ drawing: LabelDrawing, _ size: Size) -> String {
    "“\(drawing.label)” got no canvas to draw on: there is none of \(size.width.brief)x"
      + "\(size.height.brief), and the synchronous way of display does not look at the size; look at it there as "
      + "well, as render.sync does"
  }
}
