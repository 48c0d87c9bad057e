import AsyncPatterns

/// A drawing whose start is reported, but whose end is not.
public struct MissingDidDisplay: Plugin {
  public static let name = "MissingDidDisplay"
  public static let summary = "A layer that does not report the end of every drawing, and the fix."
  public static let patterns: [any AsyncPattern.Type] = [YYLayer.self, YYLayerFixed.self]
}

/// `yy-layer`: the end of a drawing that is cancelled before it starts is not reported.
struct YYLayer: AsyncPattern {
  static let manual = Manual(
    name: "yy-layer",
    summary: "Draws its steps on display queues; the end of one cancelled there is not reported.",
    discussion: """
      This works like YYAsyncLayer: setNeedsDisplay increases a sentinel, which cancels the \
      drawing in progress; display calls willDisplay on the main thread and hands the drawing to \
      one of a few serial queues; didDisplay, on the main thread again, reports whether it was \
      finished. A drawing that finds itself cancelled calls didDisplay, except in one place: at \
      the start of its block in the queue it returns, and its end is never reported. A spinner \
      that willDisplay has shown then turns forever.

      Each step is a drawing, requested in consecutive turns of the main lane. The pattern \
      completes when no drawing is in progress; the result of a cancelled drawing is \
      ignored. It reports a missing-did-display if there were fewer didDisplay than willDisplay.

      The fix: exactly one didDisplay for each willDisplay, on every path, as in yy-layer.fixed.
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
    summary: "Draws its steps on display queues, and reports the end of each.",
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
    /// A drawing that captured another value is cancelled.
    var sentinel = 0
    var willDisplayCount = 0
    var didDisplayCount = 0
    /// The number of drawings that are requested or in progress.
    var open: Int
    /// The displayed values, each at the position of its step.
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

  /// Requests each step in a turn of its own.
  ///
  /// - Parameter steps: as many as `init` was given.
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
        scope.mark("cancelled", "\(step.label), not started")
        if endsAll { return end(step, index, nil) }
        return close()
      }
      scope.start(step, input: input) { [self] image in
        end(step, index, isCancelled() ? nil : image)
      }
    }
  }

  /// - Parameter image: nil if the drawing was cancelled.
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
        "willDisplay was called \(last.willDisplayCount) times, but didDisplay \(last.didDisplayCount); "
          + "call didDisplay on every path, even where a drawing is cancelled before it starts")
    }
    let failure = scope.isCancelled ? CancellationError() : last.failure
    completion(failure.map { .failure($0) } ?? .success(.list(last.images)))
  }
}
