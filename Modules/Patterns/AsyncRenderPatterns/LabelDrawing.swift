import AsyncPatterns
import AsyncRender

/// One display of a label, from before `willDisplay` to after `didDisplay`: a step of the run.
final class LabelDrawing: Sendable {
  let label: String
  /// The change that it shows.
  let change: Int
  private let course: LabelCourse
  private let announced: AnnouncedStep
  /// What its step left to end it with, and where it stands in the trace.
  private let begun: Locked<(completion: Completion, span: Span)?>
  private let drawnFor = Locked(Duration.zero)

  /// On the main lane, when its turn has come.
  init(_ number: Int, showing change: Int, of course: LabelCourse) {
    label = "draw-\(number)"
    self.change = change
    self.course = course
    let begun = Locked<(completion: Completion, span: Span)?>(nil)
    self.begun = begun
    var step = Step(label) { _, scope, completion in
      begun.withLock { $0 = (completion, scope.span) }
    }
    step.kind = "draw"
    announced = course.scope.announce(step)
  }

  /// How long it was drawn.
  var duration: Duration { drawnFor.withLock { $0 } }

  func willDisplay() { course.willDisplay(label) }

  /// Draws by `body`, on the lane that it is called on.
  ///
  /// - Parameter isCancelled: asked when it has been drawn.
  func draw(unless isCancelled: () -> Bool, _ body: () throws -> Void) {
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
    var result = Result<Value, any Error>.success(.none)
    LaneContext.current.perform(for: begun.span) {
      result = Result { try body() }.map { .none }
    }
    drawnFor.withLock { $0 = start.duration(to: runtime.now) }
    if case .success = result, isCancelled() || course.isOver {
      result = .failure(CancellationError())
    }
    begun.completion(result)
  }

  func didDisplay(_ isFinished: Bool) { course.didDisplay(self, isFinished) }
}
