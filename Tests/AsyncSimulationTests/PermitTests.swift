import AsyncPatterns
import AsyncSimulation
import Testing

/// Which permit is the cause of which start.
@Suite struct PermitTests {
  private struct Reason: Hashable, CustomStringConvertible {
    let kind: Cause.Kind
    let from: String
    let to: String

    var description: String { "\(from) \(kind) \(to)" }
  }

  private let recording = EventRecording()
  private let runtime: SimulatedRuntime

  init() { runtime = SimulatedRuntime(workers: 4, trace: recording) }

  /// The steps that caused other steps to start or continue, by label, in the order of recording.
  private func reasons(
    of steps: [Step], under pattern: any AsyncPattern, withEnds: Bool = false
  ) -> [Reason] {
    _ = run(Step("whole", pattern: pattern, steps: steps), on: runtime)
    let names = Dictionary(
      recording.events.lazy.filter { $0.kind == .submitted }.map { ($0.span, $0.name) },
      uniquingKeysWith: { first, _ in first })
    let kinds: [Cause.Kind] = [.end, .permit, .wakeUp]
    return recording.events.filter {
      kinds.contains($0.cause.kind) && (withEnds || $0.kind != .finished)
    }.map {
      Reason(kind: $0.cause.kind, from: names[$0.cause.span] ?? "", to: names[$0.span] ?? "")
    }
  }

  /// The pattern gathers two permits before it starts c and d. They could start when b's permit was given, whatever the
  /// order of the permits.
  @Test func `a step that starts after several permits is caused by the last`() {
    let steps: [Step] = [
      .sleep("a", .ms(10)), .sleep("b", .ms(30)), .sleep("c", .ms(5)), .sleep("d", .ms(5)),
    ]
    #expect(
      reasons(of: steps, under: Gathering(after: .zero)) == [
        Reason(kind: .wakeUp, from: "a", to: "whole"),
        Reason(kind: .wakeUp, from: "b", to: "whole"),
        Reason(kind: .wakeUp, from: "b", to: "c"), Reason(kind: .wakeUp, from: "b", to: "d"),
      ])
  }

  @Test func `available permits allow a start without a wake-up`() {
    let steps: [Step] = [
      .sleep("a", .ms(30)), .sleep("b", .ms(10)), .sleep("c", .ms(5)), .sleep("d", .ms(5)),
    ]
    #expect(
      reasons(of: steps, under: Gathering(after: .ms(50))) == [
        Reason(kind: .permit, from: "a", to: "c"), Reason(kind: .permit, from: "a", to: "d"),
      ])
  }

  /// A step that has taken a permit and gives its own permit is the cause. The step that gave the first permit is not.
  @Test func `a step that has taken a permit gives a permit as its own cause`() {
    let (first, second) = (runtime.semaphore(0), runtime.semaphore(0))
    let steps = [
      Step("first") { _, _, completion in
        first.signal()
        completion(.success(.none))
      },
      Step("second") { _, _, completion in
        first.wait()
        second.signal()
        completion(.success(.none))
      },
      Step("third") { _, _, completion in
        second.wait()
        completion(.success(.none))
      },
    ]
    #expect(
      reasons(of: steps, under: AtOnce(), withEnds: true) == [
        Reason(kind: .permit, from: "first", to: "second"),
        Reason(kind: .permit, from: "second", to: "third"),
        Reason(kind: .end, from: "third", to: "whole"),
      ])
  }

  /// A permit counts for the code that took it, not for the pattern's work at the end of a step.
  @Test func `a step that starts at an end is caused by that end`() {
    #expect(
      reasons(
        of: [.sleep("a", .ms(10)), .sleep("b", .ms(10)), .sleep("c", .ms(10))], under: WaitThenOn())
        == [
          Reason(kind: .wakeUp, from: "a", to: "whole"), Reason(kind: .wakeUp, from: "a", to: "b"),
          Reason(kind: .end, from: "b", to: "c"),
        ])
  }

  /// The pattern was blocked again, for a permit from its own timer.
  @Test func `a permit that was taken before a later wait is not a cause`() {
    #expect(
      reasons(of: [.sleep("a", .ms(10)), .sleep("b", .ms(10))], under: WaitTwice())
        == [Reason(kind: .wakeUp, from: "a", to: "whole")])
  }

  @Test func `outside a run no code continues because of a step`() {
    let given = runtime.semaphore(0)
    let giver = Step("giver") { _, _, completion in
      given.signal()
      completion(.success(.none))
    }
    Run(giver, on: runtime) { _ in }
    runtime.pool.schedule {
      given.wait()
      Run(.sleep("later", .ms(1)), on: runtime) { _ in }
    }
    runtime.runUntilIdle()
    #expect(recording.events.filter { $0.kind == .started }.count == 2)
    let isByPermit: (TraceEvent) -> Bool = {
      $0.span != .none && ($0.cause.kind == .permit || $0.cause.kind == .wakeUp)
    }
    #expect(!recording.events.contains(where: isByPermit))
  }
}

/// Starts the first two steps, takes a permit for the end of each, and then starts the others.
private struct Gathering: AsyncPattern {
  static let manual = Manual(name: "gathering", summary: "Gathers.", blocksThread: true)
  private let delay: Duration
  init(_ arguments: Arguments) { self.init(after: .zero) }
  /// - Parameter delay: how long it holds its thread before it asks for permits.
  init(after delay: Duration) { self.delay = delay }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let ends = scope.runtime.semaphore(0)
    for step in steps.prefix(2) { scope.start(step) { _ in ends.signal() } }
    scope.runtime.pool.schedule {
      if delay > .zero { scope.runtime.work(for: delay) }
      for _ in 1...2 { ends.wait() }
      let left = Locked(steps.count - 2)
      for step in steps.dropFirst(2) {
        scope.start(step) { _ in
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { completion(.success(.none)) }
        }
      }
    }
  }
}

/// Starts the first step, blocks a thread until it ends, and starts the second. When the second ends, starts the third.
private struct WaitThenOn: AsyncPattern {
  static let manual = Manual(name: "wait", summary: "Waits.", blocksThread: true)
  init(_ arguments: Arguments = Arguments()) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let end = scope.runtime.semaphore(0)
    scope.start(steps[0]) { _ in end.signal() }
    end.wait()
    scope.start(steps[1]) { _ in scope.start(steps[2], completion: completion) }
  }
}

/// Starts the first step, blocks a thread until it ends, waits for its own timer, and starts the second.
private struct WaitTwice: AsyncPattern {
  static let manual = Manual(name: "wait-twice", summary: "Waits.", blocksThread: true)
  init(_ arguments: Arguments = Arguments()) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let (end, time) = (scope.runtime.semaphore(0), scope.runtime.semaphore(0))
    scope.start(steps[0]) { _ in end.signal() }
    scope.runtime.pool.schedule(after: .ms(50)) { time.signal() }
    end.wait()
    time.wait()
    scope.start(steps[1], completion: completion)
  }
}
