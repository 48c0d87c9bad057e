import AsyncPatterns
import AsyncRender

/// `render.yy`: a text in a `YYAsyncLayer`.
struct OriginalRenderPattern: AsyncPattern {
  static let manual = Manual(
    name: "render.yy",
    summary: "Shows a text that its steps change, as YYAsyncLayer does, with its four faults.",
    discussion: """
      This works like YYAsyncLayer. setNeedsDisplay increases a counter, which cancels the drawing \
      in progress. At the end of the turn, willDisplay is called. The drawing then goes to one of \
      several serial queues, in rotation; there are as many queues as workers. didDisplay reports \
      whether the drawing was finished. No lock protects these actions as a whole. YYAsyncLayer \
      has four faults, and render has none of them, whatever its arguments.

      A missing end. A drawing that finds itself cancelled calls didDisplay, except in one place: \
      at the start of its block in the queue it returns, and its end is never reported. A spinner \
      that willDisplay shows, and didDisplay should hide, spins forever. This pattern waits forever as \
      well, because it completes when as many drawings have ended as have started: \
      missing-did-display. This happens if a change comes after a drawing has started, and before \
      its queue reaches it. So make two changes at the same time, or better, three. With seed 0 \
      of the virtual clock, the queue reaches each drawing before the next change comes; explore \
      finds the schedules in which it does not. Cancelling does not provoke this: after a \
      cancellation or a failing step, the pattern does not wait for missing ends.

      No canvas. A synchronous display (display: sync) does not check the size. If it is below 1 \
      in either direction, there is no canvas, and the drawing fails. An asynchronous display shows \
      nothing, as it should.

      A wasted drawing. The block in the queue holds the layer. So a layer without other \
      references (lifetime) stays alive and cancels nothing: it is drawn to the end, and \
      discarded: wasted-drawing.

      An outdated picture. The counter is checked, and then the picture is shown, and \
      another lane may increase the counter in between. After a change that does not come from \
      main (from: pool), the layer may thus show the picture that the change has cancelled, until \
      the next drawing finishes: stale-contents. explore finds the schedules.

      The fix is render: one didDisplay for each willDisplay on every path, a check of the size in \
      both modes, a layer that is held weakly, and a check and show under one lock.
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
      render.yy(lifetime: 5ms, line-cost: 8ms, text: "released")
      expect lints == wasted-drawing
      """,
      """
      set clock virtual
      render(lifetime: 5ms, line-cost: 8ms, text: "released")
      expect lints == none
      explore render.yy(lifetime: 5ms, line-cost: 8ms, text: "released") checking { expect lints == none }
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
    terms.cancelsOnChange = displaysAsynchronously
    terms.reportsAllEnds = false
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
            isCancelled() || course.isFinished
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
    "“\(drawing.label)” got no canvas: its size is \(size.width.brief)x\(size.height.brief), and a synchronous "
      + "display does not check the size; check it there as well, as render.sync does"
  }
}
