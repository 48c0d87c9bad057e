import AsyncPatterns

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Steps that change a label one after another, and the drawings that come of it.
///
/// Steps run one after another, on the pool; what each yields is set on the main lane, and the layer is
/// asked for a display there. The whole ends when the last change is shown.
final class LabelCourse: Sendable {
  /// What is asked for displays.
  struct Layer: Sendable {
    var setNeedsDisplay: @Sendable () -> Void
    /// Calls off all that has been asked for; nil where there is no such thing.
    var cancelDisplay: (@Sendable () -> Void)?
    var contents: @Sendable () -> Picture?
  }

  private struct State: Sendable {
    var text: String
    /// It has been asked for a display that has not begun.
    var isAsked = false
    /// How many displays have begun and not ended.
    var open = 0
    /// How many drawings are at work.
    var drawing = 0
    var stepsHaveEnded = false
    var failure: (any Error)?
    /// Nil once all is over. It holds the course, and so is let go of then.
    var layer: Layer?
    var completion: Completion?
    var figures = Figures()
  }

  private struct Figures: Sendable {
    var asked = 0
    var begun = 0
    var drawn = 0
    var cancelled = 0
    var wasted = Duration.zero
  }

  let look: LabelLook
  let scope: Scope
  private let steps: [Step]
  /// What steps are started through: a drawing that fails calls off the one under way.
  private let stepScope: Scope
  private let state: Locked<State>
  private let registration = Locked<Cancellation.Registration?>(nil)

  /// Runs `steps` as changes of the layer that `makeLayer` makes; its displays are `makeDrawing()`'s.
  static func start(
    _ look: LabelLook, _ steps: [Step], input: Value, in scope: Scope,
    completion: @escaping Completion, layer makeLayer: (LabelCourse) -> Layer
  ) {
    if look.file != nil, scope.runtime.clockKind == .virtual {
      return completion(
        .failure(
          StepFailure(
            "“save” writes a file, and that is for the live clock only; leave it out, or “set clock live”"
          ))
      )
    }
    let course = LabelCourse(look, steps, input: input, in: scope, completion: completion)
    course.start(input: input, with: makeLayer(course))
  }

  private init(
    _ look: LabelLook, _ steps: [Step], input: Value, in scope: Scope,
    completion: @escaping Completion
  ) {
    self.look = look
    self.steps = steps
    self.scope = scope
    stepScope = scope.cancellable()
    state = Locked(State(text: look.text ?? input.shownText, completion: completion))
  }

  private func start(input: Value, with layer: Layer) {
    state.withLock { $0.layer = layer }
    let registration = scope.onCancel { [self] in fail(CancellationError()) }
    self.registration.withLock { $0 = registration }
    if steps.isEmpty {
      endSteps(asking: true)
    } else {
      if look.text != nil || input != .none { scope.runtime.main.schedule { self.ask() } }
      perform(0, input)
    }
  }

  /// The next display.
  func makeDrawing() -> LabelDrawing {
    let (number, text) = state.withLock { state in
      state.figures.begun += 1
      return (state.figures.begun, state.text)
    }
    return LabelDrawing(number, text, of: self)
  }

  /// Whether nothing more is to be drawn.
  var isOver: Bool { state.withLock { $0.failure != nil || $0.completion == nil } }

  // MARK: Changes

  private func perform(_ index: Int, _ input: Value) {
    guard !isOver else { return endSteps(asking: false) }
    stepScope.start(steps[index], input: input) { [self] result in
      switch result {
      case .success(let value):
        scope.runtime.main.schedule { self.change(index, value) }
      case .failure(let error):
        fail(error)
        endSteps(asking: false)
      }
    }
  }

  /// On the main lane, where an app changes what it shows.
  private func change(_ index: Int, _ value: Value) {
    if value != .none { state.withLock { $0.text = value.shownText } }
    guard index + 1 < steps.count else { return endSteps(asking: true) }
    // First, so that one that takes no time is of the same turn.
    scope.runtime.pool.schedule { self.perform(index + 1, value) }
    ask()
  }

  private func ask() {
    let asked = state.withLock { state -> (layer: Layer, count: Int)? in
      guard state.failure == nil, let layer = state.layer else { return nil }
      state.isAsked = true
      state.figures.asked += 1
      return (layer, state.figures.asked)
    }
    guard let asked else { return }
    scope.mark("asked")
    scope.counter("asked", Double(asked.count))
    asked.layer.setNeedsDisplay()
  }

  private func endSteps(asking: Bool) {
    // What was shown first is to come before what is shown in the end.
    scope.runtime.main.schedule { [self] in
      if asking { ask() }
      state.withLock { $0.stepsHaveEnded = true }
      settle()
    }
  }

  /// The first failure stays.
  private func fail(_ error: any Error) {
    let layer = state.withLock { state in
      state.failure = state.failure ?? error
      return state.layer
    }
    layer?.cancelDisplay?()
    stepScope.cancel()
    settle()
  }

  // MARK: Displays

  func willDisplay(_ label: String) {
    scope.mark("will-display", label)
    state.withLock { state in
      state.isAsked = false
      state.open += 1
    }
  }

  /// - Returns: whether it may begin.
  func beginDrawing() -> Bool {
    state.withLock { state in
      guard state.failure == nil, state.completion != nil else { return false }
      state.drawing += 1
      return true
    }
  }

  func endDrawing(_ result: Result<Value, any Error>) {
    state.withLock { $0.drawing -= 1 }
    if case .failure(let error) = result, !(error is CancellationError) { fail(error) }
    settle()
  }

  func didDisplay(_ label: String, _ isFinished: Bool, after duration: Duration) {
    scope.mark("did-display", "\(label), \(isFinished ? "finished" : "cancelled")")
    let figures = state.withLock { state in
      state.open -= 1
      if isFinished {
        state.figures.drawn += 1
      } else {
        state.figures.cancelled += 1
        state.figures.wasted += duration
      }
      return state.figures
    }
    if isFinished {
      scope.counter("drawn", Double(figures.drawn))
    } else {
      scope.counter("cancelled", Double(figures.cancelled))
      scope.counter("wasted ms", figures.wasted / .milliseconds(1))
    }
    settle()
  }

  // MARK: The end

  private func settle() {
    let end = state.withLock { state -> (completion: Completion, layer: Layer?, (any Error)?)? in
      guard state.stepsHaveEnded, state.drawing == 0, let completion = state.completion else {
        return nil
      }
      if state.failure == nil {
        guard !state.isAsked, state.open == 0 else { return nil }
      } else if state.layer?.cancelDisplay != nil {
        guard state.open == 0 else { return nil }
      }
      state.completion = nil
      defer { state.layer = nil }
      return (completion, state.layer, state.failure)
    }
    guard let (completion, layer, failure) = end else { return }
    registration.withLock { $0 }?.dispose()
    if let failure { return completion(.failure(failure)) }
    let contents = layer?.contents()
    // Writing a picture takes a while, and the main lane has better things to do.
    scope.runtime.pool.schedule { [self] in completion(Result { try value(of: contents) }) }
  }

  private func value(of picture: Picture?) throws -> Value {
    guard let picture else { throw StepFailure("there is no memory for the picture") }
    guard look.isShown || look.file != nil else { return .none }
    let data = Result { try picture.pngData(unless: scope.cancellation) }
    try scope.checkCancellation()
    if let file = look.file {
      try Picture.write(data.get(), to: URL(filePath: file.expandingHome))
    }
    return look.isShown ? .data(try data.get()) : .none
  }
}

extension Value {
  /// What a label shows of it.
  fileprivate var shownText: String { self == .none ? "" : text }
}

extension String {
  /// The path with the home directory for a leading `~`.
  fileprivate var expandingHome: String {
    guard self == "~" || hasPrefix("~/") else { return self }
    return FileManager.default.homeDirectoryForCurrentUser.path + dropFirst()
  }
}
