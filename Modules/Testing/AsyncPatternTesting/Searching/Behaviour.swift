import AsyncPatterns

/// The behaviour of a made-up step. Times are in milliseconds.
enum Behaviour: Hashable {
  case sleeps(Int)
  case sleepsOnMain(Int)
  /// Sleeps in an asynchronous function.
  case awaits(Int)
  case works(Int)
  case completesImmediately
  case failsImmediately
  case fails(after: Int)
  /// Completes, and wrongly completes once more after twice the time.
  case completesTwice(Int)
  /// Completes twice at the same instant.
  case completesTwiceImmediately
  /// Releases its completion without calling it.
  case forgets
  /// Sleeps, and succeeds although it is cancelled.
  case ignoresCancellation(Int)
  /// Completes only when it is cancelled.
  case never
  /// A sequence of two steps.
  case nests(Int)

  /// The behaviour as a script or a person would write it.
  var text: String {
    switch self {
    case .sleeps(let time): "sleep \(time)ms"
    case .sleepsOnMain(let time): "sleep \(time)ms with on: main"
    case .awaits(let time): "an async function of \(time)ms"
    case .works(let time): "work \(time)ms"
    case .completesImmediately: "value 1"
    case .failsImmediately: "fail"
    case .fails(let time): "a failure after \(time)ms"
    case .completesTwice(let time): "twice \(time)ms"
    case .completesTwiceImmediately: "two immediate completions"
    case .forgets: "a released completion"
    case .ignoresCancellation(let time): "\(time)ms that cannot be cancelled"
    case .never: "never"
    case .nests(let time): "a sequence of \(time)ms"
    }
  }

  func step(_ label: String) -> Step {
    switch self {
    case .sleeps(let time): return .sleep(label, .milliseconds(time))
    case .sleepsOnMain(let time):
      var step = Step.sleep(label, .milliseconds(time))
      step.options["on"] = .string("main")
      return step
    case .awaits(let time):
      return Step(label) { input, scope in
        try await scope.sleep(for: .milliseconds(time))
        return input
      }
    case .works(let time): return .work(label, .milliseconds(time))
    case .completesImmediately: return .value(label, .integer(1))
    case .failsImmediately: return .fail(label, Self.reason(label))
    case .fails(let time): return .fail(label, after: .milliseconds(time))
    case .completesTwice(let time): return .twice(label, .milliseconds(time))
    case .completesTwiceImmediately:
      return Step(label) { input, _, completion in
        completion(.success(input))
        completion(.success(input))
      }
    case .forgets: return Step(label) { _, _, _ in }
    case .ignoresCancellation(let time):
      return Step(label) { input, scope, completion in
        scope.runtime.pool.schedule(after: .milliseconds(time)) { completion(.success(input)) }
      }
    case .never: return .never(label)
    case .nests(let time):
      let half = Duration.milliseconds(time) / 2
      return Step(
        label, pattern: InnerSequence(Arguments()),
        steps: [.sleep("\(label)-first", half), .sleep("\(label)-second", half)])
    }
  }

  fileprivate static func reason(_ label: String) -> String { "“\(label)” fails" }
}

extension Step {
  /// Fails after a time, unless it is cancelled before.
  fileprivate static func fail(_ label: String, after time: Duration) -> Step {
    Step(label) { _, scope, completion in
      let open = Locked<Completion?>(completion)
      let end: Completion = { result in
        let completion = open.withLock { open in
          defer { open = nil }
          return open
        }
        completion?(result)
      }
      let timer = scope.runtime.pool.schedule(after: time) {
        end(.failure(StepFailure(Behaviour.reason(label))))
      }
      scope.onCancel {
        timer.cancel()
        end(.failure(CancellationError()))
      }
    }
  }
}

/// One step after another. It is used as a step of a pattern that is checked.
private struct InnerSequence: AsyncPattern {
  static let manual = Manual(name: "sequence", summary: "One after another.")

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard let first = steps.first else { return completion(.success(input)) }
    guard !scope.isCancelled else { return completion(.failure(CancellationError())) }
    scope.start(first, input: input) { result in
      guard case .success(let value) = result else { return completion(result) }
      start(Array(steps.dropFirst()), input: value, in: scope, completion: completion)
    }
  }
}
