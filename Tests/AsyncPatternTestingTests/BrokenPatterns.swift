import AsyncPatternTesting
import Foundation

/// Runs its steps in sequence, with the flaw that `Flaw` adds.
///
/// Without a flaw it keeps every law.
struct Sequence<Flaw: SequenceFlaw>: AsyncPattern {
  static var manual: Manual {
    Manual(
      name: "\(Flaw.self)", summary: "One after another, with a flaw.",
      blocksThread: Flaw.blocks, breaks: Flaw.stated)
  }

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Flaw.begin(steps, in: scope)
    next(0, of: steps, input, scope) { Flaw.end($0, in: scope, completion) }
  }

  private func next(
    _ index: Int, of steps: [Step], _ input: Value, _ scope: Scope,
    _ completion: @escaping Completion
  ) {
    guard index < steps.count else { return completion(.success(input)) }
    guard !scope.isCancelled || Flaw.asksWhenCancelled else {
      return completion(.failure(CancellationError()))
    }
    Flaw.start(steps[index], input, scope) { result in
      switch result {
      case .success(let value): next(index + 1, of: steps, value, scope, completion)
      case .failure where Flaw.continuesAfterFailure && !scope.isCancelled:
        next(index + 1, of: steps, input, scope, completion)
      case .failure: completion(result)
      }
    }
  }
}

/// A flaw of a sequence. By default there is none.
protocol SequenceFlaw: SendableMetatype {
  /// The laws that the manual says the pattern breaks.
  static var stated: Set<Law> { get }
  static var blocks: Bool { get }
  static var asksWhenCancelled: Bool { get }
  static var continuesAfterFailure: Bool { get }
  static func begin(_ steps: [Step], in scope: Scope)
  static func start(
    _ step: Step, _ input: Value, _ scope: Scope, _ completion: @escaping Completion)
  static func end(
    _ result: Result<Value, any Error>, in scope: Scope, _ completion: @escaping Completion)
}

extension SequenceFlaw {
  static var stated: Set<Law> { [] }
  static var blocks: Bool { false }
  static var asksWhenCancelled: Bool { false }
  static var continuesAfterFailure: Bool { false }
  static func begin(_ steps: [Step], in scope: Scope) {}

  static func start(
    _ step: Step, _ input: Value, _ scope: Scope, _ completion: @escaping Completion
  ) {
    scope.start(step, input: input, completion: completion)
  }

  static func end(
    _ result: Result<Value, any Error>, in scope: Scope, _ completion: @escaping Completion
  ) {
    completion(result)
  }
}

enum Flawless: SequenceFlaw {}

// MARK: Completes exactly once

enum CompletesTwice: SequenceFlaw {
  static func end(
    _ result: Result<Value, any Error>, in scope: Scope, _ completion: @escaping Completion
  ) {
    completion(result)
    completion(result)
  }
}

/// Drops its completion if the pattern is cancelled.
enum DropsItsCompletionWhenCancelled: SequenceFlaw {
  static func end(
    _ result: Result<Value, any Error>, in scope: Scope, _ completion: @escaping Completion
  ) {
    if !scope.isCancelled { completion(result) }
  }
}

/// Stores its completion forever.
enum NeverCompletesWithoutSteps: SequenceFlaw {
  private static let kept = Locked<[Completion]>([])

  static func end(
    _ result: Result<Value, any Error>, in scope: Scope, _ completion: @escaping Completion
  ) {
    if case .success(.none) = result, scope.runtime.now == .zero {
      kept.withLock { $0.append(completion) }
    } else {
      completion(result)
    }
  }
}

// MARK: Starts

enum StartsTheLastTwice: SequenceFlaw {
  static func start(
    _ step: Step, _ input: Value, _ scope: Scope, _ completion: @escaping Completion
  ) {
    scope.start(step, input: input) { result in
      guard step.label == "c", case .success(let value) = result, !scope.isCancelled else {
        return completion(result)
      }
      scope.start(step, input: value, completion: completion)
    }
  }
}

enum AsksWhenCancelled: SequenceFlaw {
  static var asksWhenCancelled: Bool { true }
}

// MARK: Delivers failure

enum SwallowsFailures: SequenceFlaw {
  static var continuesAfterFailure: Bool { true }
}

enum ChangesFailures: SequenceFlaw {
  static func end(
    _ result: Result<Value, any Error>, in scope: Scope, _ completion: @escaping Completion
  ) {
    completion(result.mapError { $0 is CancellationError ? $0 : StepFailure("something failed") })
  }
}

// MARK: Leaves nothing behind

enum LeavesATimer: SequenceFlaw {
  static func begin(_ steps: [Step], in scope: Scope) {
    scope.runtime.pool.schedule(after: .seconds(10)) {}
  }
}

enum KeepsAPermit: SequenceFlaw {
  static func begin(_ steps: [Step], in scope: Scope) { scope.runtime.semaphore(1).wait() }
}

enum StaysInTheRunLoop: SequenceFlaw {
  static func begin(_ steps: [Step], in scope: Scope) {
    _ = scope.runtime.atEndOfTurn(order: 0) {}
  }
}

enum HoldsTheRunOpen: SequenceFlaw {
  private static let kept = Locked<[RunHold]>([])

  static func begin(_ steps: [Step], in scope: Scope) {
    let hold = scope.holdOpen()
    kept.withLock { $0.append(hold) }
  }
}

// MARK: Is deterministic

enum TossesACoin: SequenceFlaw {
  static func start(
    _ step: Step, _ input: Value, _ scope: Scope, _ completion: @escaping Completion
  ) {
    if Bool.random() { scope.mark("heads") }
    scope.start(step, input: input, completion: completion)
  }
}

/// Its work leaves the runtime and returns to it, as an asynchronous function does.
enum LeavesTheRuntime: SequenceFlaw {
  static func end(
    _ result: Result<Value, any Error>, in scope: Scope, _ completion: @escaping Completion
  ) {
    scope.runtime.asynchronousBodyStarted(scope.span)
    Elsewhere.run {
      scope.runtime.pool.schedule {
        scope.runtime.asynchronousBodyEnded(scope.span)
        completion(result)
      }
    }
  }
}

/// A thread that no runtime knows. It runs no other jobs, so a job returns quickly even if all threads of Dispatch are
/// busy.
private enum Elsewhere {
  private static let jobs = Locked<[@Sendable () -> Void]>([])
  private static let hasJobs: DispatchSemaphore = {
    let hasJobs = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while true {
        hasJobs.wait()
        jobs.withLock { $0.removeFirst() }()
      }
    }
    return hasJobs
  }()

  static func run(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
    hasJobs.signal()
  }
}

// MARK: Blocks no thread

enum BlocksAThread: SequenceFlaw {
  static func start(
    _ step: Step, _ input: Value, _ scope: Scope, _ completion: @escaping Completion
  ) {
    let ended = scope.runtime.semaphore(0)
    let result = Locked<Result<Value, any Error>?>(nil)
    scope.start(step, input: input) { ending in
      result.withLock { $0 = ending }
      ended.signal()
    }
    ended.wait()
    if let ending = result.withLock({ $0 }) { completion(ending) }
  }
}

// MARK: With a manual that states the violation

enum BlocksAThreadOnPurpose: SequenceFlaw {
  static var stated: Set<Law> { [.blocksNoThread] }
  static var blocks: Bool { true }

  static func start(
    _ step: Step, _ input: Value, _ scope: Scope, _ completion: @escaping Completion
  ) {
    BlocksAThread.start(step, input, scope, completion)
  }
}

enum SaysItBlocks: SequenceFlaw {
  static var stated: Set<Law> { [.blocksNoThread] }
}

enum SaysItIsRandom: SequenceFlaw {
  static var stated: Set<Law> { [.isDeterministic] }
}
