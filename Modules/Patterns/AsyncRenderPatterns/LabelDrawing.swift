import AsyncPatterns
import AsyncRender

/// One display of a label, from before `willDisplay` to after `didDisplay`. It is a step of the run.
final class LabelDrawing: Sendable {
  let label: String
  /// The number of the change that it shows.
  let change: Int
  private let course: LabelCourse
  private let announced: AnnouncedStep
  /// The completion of the step, and its span in the trace. Set when the step starts, and taken before `body` draws.
  private let begun: Locked<(completion: Completion, span: Span)?>
  private let drawnFor = Locked(Duration.zero)

  /// Called on the main lane, when the display starts.
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

  /// How long the drawing took.
  var duration: Duration { drawnFor.withLock { $0 } }

  func willDisplay() { course.willDisplay(label) }

  /// Draws by calling `body`, on the calling lane.
  ///
  /// - Parameter isCancelled: called after drawing.
  func draw(unless isCancelled: () -> Bool, _ body: () throws -> Void) {
    guard course.beginDrawing() else { return }
    LaneContext.current.performNested {
      course.scope.start(announced) { [course] in course.endDrawing($0) }
    }
    let begun = begun.withLock { begun in
      defer { begun = nil }
      return begun
    }
    // Nil if the step was not allowed to start, which has been reported.
    guard let begun else { return }
    let runtime = course.scope.runtime
    let start = runtime.now
    var result = Result<Value, any Error>.success(.none)
    LaneContext.current.perform(for: begun.span) {
      result = Result { try body() }.map { .none }
    }
    drawnFor.withLock { $0 = start.duration(to: runtime.now) }
    if case .success = result, isCancelled() || course.isFinished {
      result = .failure(CancellationError())
    }
    begun.completion(result)
  }

  func didDisplay(_ isFinished: Bool) { course.didDisplay(self, isFinished) }
}
