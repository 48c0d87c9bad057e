import AsyncPatterns

/// One display of a label, from before `willDisplay` to after `didDisplay`: a step of the run.
final class LabelDrawing: Sendable {
  private let label: String
  private let text: String
  private let course: LabelCourse
  private let announced: AnnouncedStep
  /// What its step left to end it with, and where it stands in the trace.
  private let begun: Locked<(completion: Completion, span: Span)?>
  private let duration = Locked(Duration.zero)

  /// On the main lane, when its turn has come.
  init(_ number: Int, _ text: String, of course: LabelCourse) {
    label = "draw-\(number)"
    self.text = text
    self.course = course
    let begun = Locked<(completion: Completion, span: Span)?>(nil)
    self.begun = begun
    var step = Step(label) { _, scope, completion in
      begun.withLock { $0 = (completion, scope.span) }
    }
    step.kind = "draw"
    announced = course.scope.announce(step)
  }

  func willDisplay() { course.willDisplay(label) }

  /// Draws, on the lane that it is called on.
  ///
  /// - Parameter isCancelled: asked before each line.
  func draw(on canvas: Canvas, unless isCancelled: () -> Bool) {
    guard course.beginDrawing() else { return }
    LaneContext.current.performNested {
      course.scope.start(announced) { [course] in course.endDrawing($0) }
    }
    let begun = begun.withLock { begun in
      defer { begun = nil }
      return begun
    }
    // Nil: it was not let start, and that has been told.
    guard let begun else { return }
    let runtime = course.scope.runtime
    let start = runtime.now
    func isCalledOff() -> Bool { isCancelled() || course.isOver }
    LaneContext.current.perform(for: begun.span) {
      course.look.draw(text, on: canvas, unless: isCalledOff) { cost in
        if runtime.clockKind == .virtual { runtime.work(for: cost) }
      }
    }
    duration.withLock { $0 = start.duration(to: runtime.now) }
    if let error = canvas.error { return begun.completion(.failure(error)) }
    begun.completion(isCalledOff() ? .failure(CancellationError()) : .success(.none))
  }

  func didDisplay(_ isFinished: Bool) {
    course.didDisplay(label, isFinished, after: duration.withLock { $0 })
  }
}
