import AsyncPatterns
import Simulation
import Testing

/// Whose permit lets what start.
@Suite struct PermitTests {
  private struct Edge: Hashable, CustomStringConvertible {
    let kind: TraceEvent.Edge
    let from: String
    let to: String

    var description: String { "\(from) \(kind) \(to)" }
  }

  private let recording = EventRecording()
  private let runtime: SimulatedRuntime

  init() { runtime = SimulatedRuntime(workers: 4, trace: recording) }

  /// The edges between the steps of a run, by their labels, in the order of recording.
  private func edges(of steps: [Step], under pattern: any AsyncPattern) -> [Edge] {
    _ = run(Step("whole", pattern: pattern, steps: steps), on: runtime)
    let names = Dictionary(
      recording.events.lazy.filter { $0.kind == .submitted }.map { ($0.span, $0.name) },
      uniquingKeysWith: { first, _ in first })
    return recording.events.compactMap { event in
      event.edge.map {
        Edge(kind: $0, from: names[event.other] ?? "", to: names[event.span] ?? "")
      }
    }
  }

  /// Two permits gathered before anything starts: c and d could start when b's was there, whatever order they come in.
  @Test func `what starts after several permits could start because of the last`() {
    let steps: [Step] = [
      .sleep("a", .ms(10)), .sleep("b", .ms(30)), .sleep("c", .ms(5)), .sleep("d", .ms(5)),
    ]
    #expect(
      edges(of: steps, under: Gathering(after: .zero)) == [
        Edge(kind: .woke, from: "a", to: "whole"), Edge(kind: .woke, from: "b", to: "whole"),
        Edge(kind: .woke, from: "b", to: "c"), Edge(kind: .woke, from: "b", to: "d"),
      ])
  }

  @Test func `permits that are there let start without waking`() {
    let steps: [Step] = [
      .sleep("a", .ms(30)), .sleep("b", .ms(10)), .sleep("c", .ms(5)), .sleep("d", .ms(5)),
    ]
    #expect(
      edges(of: steps, under: Gathering(after: .ms(50))) == [
        Edge(kind: .woke, from: "b", to: "whole"), Edge(kind: .woke, from: "a", to: "whole"),
        Edge(kind: .permitFrom, from: "a", to: "c"), Edge(kind: .permitFrom, from: "a", to: "d"),
      ])
  }

  /// It has taken a permit, and gives one of its own: that is not of whom it had its own from.
  @Test func `who has taken a permit gives in its own name`() {
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
      edges(of: steps, under: AtOnce()) == [
        Edge(kind: .woke, from: "first", to: "second"),
        Edge(kind: .woke, from: "second", to: "third"),
      ])
  }

  /// A permit counts for the code that took it, and not for what its pattern does at the end of a step.
  @Test func `what starts at an end starts because of that`() {
    #expect(
      edges(
        of: [.sleep("a", .ms(10)), .sleep("b", .ms(10)), .sleep("c", .ms(10))], under: WaitThenOn())
        == [
          Edge(kind: .woke, from: "a", to: "whole"), Edge(kind: .woke, from: "a", to: "b"),
          Edge(kind: .dependency, from: "b", to: "c"),
        ])
  }

  /// It has parked again, for a permit of its own timer's.
  @Test func `a permit that was taken before a later wait is no reason`() {
    #expect(
      edges(of: [.sleep("a", .ms(10)), .sleep("b", .ms(10))], under: WaitTwice())
        == [Edge(kind: .woke, from: "a", to: "whole")])
  }

  @Test func `outside a run nobody goes on because of anybody`() {
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
    #expect(recording.events.allSatisfy { $0.kind != .edge || $0.span == .none })
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

/// Starts the first step, waits for it with a thread, starts the second, and when that ends the third.
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

/// Starts the first step, waits for it with a thread, waits for a timer of its own, and starts the second.
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
