import AsyncPatterns
import AsyncRender

/// Steps that change a label one after another, and the drawings that result.
///
/// Steps run one after another, on the pool. The value of each step is set on the lane that the terms name, and the
/// label requests a display. The course ends when the last change is shown.
final class LabelCourse: Sendable {
  /// The layer that shows the text.
  struct Layer: Sendable {
    /// Sets the text, and requests a display through the course's `ask`.
    var show: @Sendable (String) -> Void
    /// Whether a display was requested and has not started. The closure does not hold the layer.
    var needsDisplay: @Sendable () -> Bool
    /// Cancels all requested displays; nil if the layer cannot do that.
    var cancelDisplays: (@Sendable () -> Void)?
    var contents: @Sendable () -> Picture?
  }

  struct State: Sendable {
    var text: String
    /// The layer holds the course. Nil after the layer has been released, and after the end of the course.
    var layer: Layer?
    /// The layer's `needsDisplay`. It stays available after the layer has been released.
    var needsDisplay: @Sendable () -> Bool = { false }
    var displays = LabelDisplays()
    var stepsHaveEnded = false
    var failure: (any Error)?
    var completion: Completion?
  }

  let terms: LabelTerms
  let scope: Scope
  /// Increased when nothing more will be drawn.
  let sentinel = Sentinel()
  private let steps: [Step]
  /// The scope that starts steps. A drawing that fails cancels the running step.
  private let stepScope: Scope
  let state: Locked<State>
  private let registration = Locked<Cancellation.Registration?>(nil)
  private let timer = Locked<(any Cancellable)?>(nil)

  /// Runs `steps` as changes of the layer that `makeLayer` creates. The layer gets its displays from `makeDrawing()`.
  static func start(
    _ terms: LabelTerms, _ steps: [Step], input: Value, in scope: Scope,
    completion: @escaping Completion, layer makeLayer: (LabelCourse) -> Layer
  ) {
    if let error = terms.look.refusal(on: scope.runtime.clockKind) {
      return completion(.failure(error))
    }
    let course = LabelCourse(terms, steps, input: input, in: scope, completion: completion)
    course.start(input: input, with: makeLayer(course))
  }

  private init(
    _ terms: LabelTerms, _ steps: [Step], input: Value, in scope: Scope,
    completion: @escaping Completion
  ) {
    self.terms = terms
    self.steps = steps
    self.scope = scope
    stepScope = scope.cancellable()
    state = Locked(State(text: terms.look.text ?? input.shownText, completion: completion))
  }

  private func start(input: Value, with layer: Layer) {
    state.withLock { ($0.layer, $0.needsDisplay) = (layer, layer.needsDisplay) }
    let registration = scope.onCancel { [self] in fail(CancellationError()) }
    self.registration.withLock { $0 = registration }
    if let lifetime = terms.lifetime {
      let timer = scope.runtime.main.schedule(after: lifetime) { [self] in releaseLayer() }
      self.timer.withLock { $0 = timer }
    }
    if steps.isEmpty {
      endSteps(showing: true)
    } else {
      if terms.look.text != nil || input != .none {
        if terms.changesOnMain { scope.runtime.main.schedule { self.show() } } else { show() }
      }
      perform(0, input)
    }
  }

  // MARK: Changes

  private func perform(_ index: Int, _ input: Value) {
    guard !isFinished else { return endSteps(showing: false) }
    stepScope.start(steps[index], input: input) { [self] result in
      switch result {
      case .success(let value):
        let lane = terms.changesOnMain ? scope.runtime.main : scope.runtime.pool
        lane.schedule { self.change(index, value) }
      case .failure(let error):
        fail(error)
        endSteps(showing: false)
      }
    }
  }

  private func change(_ index: Int, _ value: Value) {
    if value != .none { state.withLock { $0.text = value.shownText } }
    guard index + 1 < steps.count else { return endSteps(showing: true) }
    let performNext = { @Sendable [self] in perform(index + 1, value) }
    if terms.changesOnMain {
      // The next step is scheduled first, so that a step that takes no time belongs to the same turn.
      scope.runtime.pool.schedule(performNext)
      show()
    } else {
      show()
      scope.runtime.pool.schedule(performNext)
    }
  }

  /// Sets the text. Calls do not overlap.
  private func show() {
    let change = state.withLock { state -> (layer: Layer, text: String, number: Int)? in
      guard let layer = state.layer else { return nil }
      return (layer, state.text, state.displays.beginChange())
    }
    guard let number = change?.number else { return }
    change?.layer.show(change?.text ?? "")
    state.withLock { $0.displays.settled = number }
  }

  /// Requests a display by calling `update`.
  func ask(_ update: () -> Void) {
    let asked = state.withLock { state -> Int? in
      guard state.failure == nil, state.layer != nil else { return nil }
      return state.displays.ask()
    }
    guard let asked else { return }
    scope.mark("asked", role: .displayAsked)
    scope.counter("asked", Double(asked))
    update()
  }

  private func endSteps(showing: Bool) {
    if showing, !terms.changesOnMain { show() }
    // The first text must be shown before the last one.
    scope.runtime.main.schedule { [self] in
      if showing, terms.changesOnMain { show() }
      state.withLock { $0.stepsHaveEnded = true }
      settle()
    }
  }

  /// Records a failure, unless there is one already, and stops the course.
  func fail(_ error: any Error) {
    let layer = state.withLock { state in
      state.failure = state.failure ?? error
      return state.layer
    }
    sentinel.increase()
    layer?.cancelDisplays?()
    stepScope.cancel()
    settle()
  }

  /// Releases the layer, which is then held only by its displays. Called on the main lane.
  private func releaseLayer() {
    var layer = state.withLock { state in
      defer { state.layer = nil }
      return state.layer
    }
    guard layer != nil else { return }
    layer = nil
    scope.mark("released", role: .displayReleased)
    settle()
  }

  // MARK: The end

  /// Whether nothing more will be drawn.
  var isFinished: Bool { sentinel.value > 0 }

  /// Ends the course if everything has ended. Without a failure, the last call comes on the main lane, where displays
  /// start. A display can therefore not be missed between its request and its start.
  func settle() {
    let needsDisplay = state.withLock { $0.needsDisplay }()
    let end = state.withLock { state -> (completion: Completion, layer: Layer?, (any Error)?)? in
      guard state.stepsHaveEnded, let completion = state.completion else { return nil }
      let isComplete =
        state.failure == nil
        ? !needsDisplay && state.displays.haveEnded
        : state.displays.haveEnded(reportingAll: terms.reportsAllEnds)
      guard isComplete else { return nil }
      state.completion = nil
      defer { state.layer = nil }
      return (completion, state.layer, state.failure)
    }
    guard let (completion, layer, failure) = end else { return }
    sentinel.increase()
    registration.withLock { $0 }?.dispose()
    timer.withLock { $0 }?.cancel()
    if let failure { return completion(.failure(failure)) }
    let contents = layer?.contents()
    let isGone = layer == nil
    // Encoding a picture takes a while, so it is not done on the main lane.
    scope.runtime.pool.schedule { [self] in
      completion(
        Result {
          try terms.look.value(of: contents, isGone: isGone, cancellation: scope.cancellation)
        })
    }
  }
}

extension Value {
  /// The text that a label shows for the value.
  fileprivate var shownText: String { self == .none ? "" : text }
}
