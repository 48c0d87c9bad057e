import AsyncPatterns

/// A drawing that is announced, and of whose end nobody is told.
public struct MissingDidDisplay: Plugin {
  public static let name = "MissingDidDisplay"
  public static let summary = "A layer that draws off the main thread, and tells the end or not."
  public static let patterns: [any AsyncPattern.Type] = [YYLayer.self, YYLayerFixed.self]
}

/// `yy-layer`: cancelled before it begins, a drawing is not told to have ended.
struct YYLayer: AsyncPattern {
  static let manual = Manual(
    name: "yy-layer",
    summary: "Draws its steps on display queues; one that is cancelled in its queue never ends.",
    discussion: """
      The way of YYAsyncLayer: setNeedsDisplay bumps a sentinel, which cancels the drawing under way; \
      display calls willDisplay on the main thread and hands the drawing to one of a few serial \
      queues; didDisplay, on the main thread again, tells whether it was finished. Wherever the \
      drawing finds itself cancelled it sees to didDisplay, but in one place: as the first thing in \
      its queue it returns, and nothing more is heard of it. A spinner that willDisplay has shown \
      then turns for ever.

      Each step is a drawing, asked for in one turn of the main lane after the other. The whole \
      completes when no drawing is under way any more; what becomes of one that was cancelled is of \
      no interest. It reports a missing-did-display if there were fewer \
      didDisplay than willDisplay.

      The way out: exactly one didDisplay for each willDisplay, on every path, as in yy-layer.fixed.
      """,
    flow: .sideBySide, failure: .own,
    examples: ["yy-layer { draft: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Layer(steps.count, endsAll: false, input: input, in: scope, completion: completion)
      .display(steps[...])
  }
}

/// `yy-layer.fixed`: one didDisplay for each willDisplay.
struct YYLayerFixed: AsyncPattern {
  static let manual = Manual(
    name: "yy-layer.fixed",
    summary: "Draws its steps on display queues, and tells the end of each.",
    flow: .sideBySide, failure: .own,
    examples: ["yy-layer.fixed { draft: work 5ms; final: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Layer(steps.count, endsAll: true, input: input, in: scope, completion: completion)
      .display(steps[...])
  }
}

/// A layer that is asked to display one step after another.
private final class Layer: Sendable {
  private struct State {
    /// Whoever captured another value is cancelled.
    var sentinel = 0
    var willDisplayCount = 0
    var didDisplayCount = 0
    /// How many drawings are asked for, or under way.
    var open: Int
    /// What was displayed, each at its own place.
    var images: [Value]
    var failure: (any Error)?
  }

  private let state: Locked<State>
  private let queues: [any Scheduler]
  private let endsAll: Bool
  private let input: Value
  private let scope: Scope
  private let completion: Completion

  init(
    _ count: Int, endsAll: Bool, input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    self.endsAll = endsAll
    self.input = input
    self.scope = scope
    self.completion = completion
    state = Locked(State(open: count, images: Array(repeating: .none, count: count)))
    queues = (0..<min(scope.runtime.width, 16)).map { _ in
      scope.runtime.serial("com.ibireme.yykit.render")
    }
  }

  /// Asks for each step in a turn of its own.
  ///
  /// - Parameter steps: as many as were announced.
  func display(_ steps: ArraySlice<Step>) {
    guard let first = steps.first else { return completion(.success(.list([]))) }
    scope.runtime.main.schedule { [self] in
      setNeedsDisplay()
      display(first, steps.startIndex)
      if steps.count > 1 { display(steps.dropFirst()) }
    }
  }

  private func setNeedsDisplay() { state.withLock { $0.sentinel += 1 } }

  private func display(_ step: Step, _ index: Int) {
    scope.mark("will-display", step.label, role: .displayBegan)
    let value = state.withLock { state in
      state.willDisplayCount += 1
      return state.sentinel
    }
    let isCancelled: @Sendable () -> Bool = { [self] in
      scope.isCancelled || state.withLock { $0.sentinel != value }
    }
    queues[value % queues.count].schedule { [self] in
      if isCancelled() {
        scope.mark("cancelled", "\(step.label), not begun")
        if endsAll { return end(step, index, nil) }
        return close()
      }
      scope.start(step, input: input) { [self] image in
        end(step, index, isCancelled() ? nil : image)
      }
    }
  }

  /// - Parameter image: nil if it was cancelled.
  private func end(_ step: Step, _ index: Int, _ image: Result<Value, any Error>?) {
    scope.runtime.main.schedule { [self] in
      scope.mark(
        "did-display", step.label, role: image == nil ? .displayCancelled : .displayFinished)
      state.withLock { state in
        state.didDisplayCount += 1
        switch image {
        case .success(let value)?: state.images[index] = value
        case .failure(let error)?: state.failure = error
        case nil: break
        }
      }
      close()
    }
  }

  private func close() {
    let last = state.withLock { state -> State? in
      state.open -= 1
      return state.open == 0 ? state : nil
    }
    guard let last else { return }
    if last.didDisplayCount < last.willDisplayCount {
      scope.misuse(
        "missing-did-display",
        "willDisplay was called \(last.willDisplayCount) times, didDisplay \(last.didDisplayCount); "
          + "call it on every path, also where a drawing is cancelled before it begins")
    }
    let failure = scope.isCancelled ? CancellationError() : last.failure
    completion(failure.map { .failure($0) } ?? .success(.list(last.images)))
  }
}
