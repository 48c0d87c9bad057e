import Foundation
import PatternTesting
import Promises
import Testing

/// All operators on the threads of the machine, many at the same time, mainly for the thread sanitizer.
@Suite struct ContendedProgramTests {
  typealias Run = ProgramRun<any Error>

  private static let rounds = 8
  private static let operators = Program.Kind.allCases.filter { $0.inputCount.upperBound > 0 }

  private static func run(_ program: Program) -> Run {
    let queue = LiveRuntime.shared.serial("queue")
    return Run(
      program, LiveRuntime.shared,
      at: [
        .pool, .inline, .scheduler(queue), .inline, .scheduler(LiveRuntime.shared.serial("other")),
      ]
    ) { $0 }
  }

  /// Two roots, the operator on both, and a `map` of its result.
  private static func program(_ kind: Program.Kind, _ round: Int) -> Program {
    var chance = SeededGenerator(seed: UInt64(round))
    func operation(_ kind: Program.Kind, _ inputs: [Int]) -> Program.Operation {
      // Limits are longer than the time that all actions need together.
      let number = Int.random(in: 1..<40, using: &chance)
      let isTimed = [.timeout, .timeoutOrNil].contains(kind)
      return Program.Operation(
        kind: kind, inputs: inputs,
        place: Bool.random(using: &chance) ? .random(in: 0..<5, using: &chance) : nil,
        unused: Bool.random(using: &chance), number: isTimed ? number * 6 + 5 : number)
    }
    let count = Int.random(in: kind.inputCount, using: &chance)
    let inputs = (0..<count).map { ($0 + round) % 2 }
    return Program(
      [
        operation(.root, []), operation(.root, []), operation(kind, inputs), operation(.map, [2]),
      ],
      [.resolve(0, round), .resolve(1, round / 2), .cancel(round % 2 + 2), .cancelToken])
  }

  @Test(arguments: operators)
  func `a program under contention ends as in one of the possible orders`(
    _ kind: Program.Kind
  ) {
    for round in 0..<Self.rounds {
      let program = Self.program(kind, round)
      let run = Self.run(program)
      for index in program.operations.indices { run.perform(.make(index)) }
      let handlers = Handlers(4)
      onThreads(5) { thread in
        if thread < 4 { return run.perform(program.actions[thread]) }
        for number in 0..<4 {
          handlers.listen(
            number, to: run.promise(2 + number % 2), on: number < 2 ? .inline : nil)
        }
      }
      run.perform(.drop)
      let ends = run.ends()
      let allowed = orders(program)
      for (index, end) in ends.enumerated() {
        #expect(allowed[index].contains(end), "round \(round), \(index)\n\(program)")
      }
      let counts = handlers.finalCounts()
      #expect(run.releaseAll() == 0, "round \(round)\n\(program)")
      #expect(
        counts.allSatisfy { $0 == 1 } || isBound(program, counts), "round \(round)\n\(program)")
    }
  }

  /// Whether the token of the chain may have been cancelled, so that no handler was called.
  private func isBound(_ program: Program, _ counts: [Int]) -> Bool {
    program.operations.contains { $0.kind == .until } && counts.allSatisfy { $0 <= 1 }
  }

  /// Counts how often each of several handlers is called.
  private final class Handlers: Sendable {
    private let counts: Locked<[Int]>
    private let ends = Locked<[Promise<Void, Never>]>([])

    init(_ count: Int) { counts = Locked(Array(repeating: 0, count: count)) }

    func listen(_ number: Int, to promise: Run.Number, on placement: Placement?) {
      let end = promise.whenComplete(on: placement) { _ in
        self.counts.withLock { $0[number] += 1 }
      }
      ends.withLock { $0.append(end) }
    }

    /// The counts after all notifications have happened.
    func finalCounts() -> [Int] {
      for end in ends.withLock({ $0 }) { _ = try? end.wait() }
      return counts.withLock { $0 }
    }
  }

  /// The possible outcomes of each promise, over all orders of the actions.
  private func orders(_ program: Program) -> [Set<Ending?>] {
    var ends: [Set<Ending?>] = program.operations.map { _ in [] }
    let made = program.operations.indices.map { Program.Action.make($0) }
    var seed: UInt64 = 0
    permute(program.actions) { actions in
      // Timed operations may end between the actions.
      for pause in [0, Int(seed % 5), actions.count] {
        var actions = actions
        actions.insert(.pause, at: min(pause, actions.count))
        let program = Program(program.operations, made + actions + [.drop])
        let outcomes = ModelRun(program, canCancel: true, seed: seed).run().outcomes
        for (index, end) in outcomes.enumerated() {
          ends[index].insert(end)
        }
        seed += 1
      }
    }
    return ends
  }

  /// Heap's algorithm (1963), doi:10.1093/comjnl/6.3.293.
  private func permute<Element>(_ elements: [Element], _ body: ([Element]) -> Void) {
    var elements = elements
    func permute(_ count: Int) {
      guard count > 1 else { return body(elements) }
      for index in 0..<count {
        permute(count - 1)
        if index < count - 1 { elements.swapAt(count % 2 == 0 ? index : 0, count - 1) }
      }
    }
    permute(elements.count)
  }

  @Test func `programs whose actions run concurrently end and leave nothing behind`() {
    for seed: UInt64 in 0..<120 {
      let program = Program(seed: seed, adoptsOften: seed.isMultiple(of: 3))
      if program.operations.contains(where: { $0.kind == .never }) { continue }
      let run = Self.run(program)
      for index in program.operations.indices { run.perform(.make(index)) }
      let actions = program.actions.filter {
        switch $0 {
        case .make, .drop: false
        default: true
        }
      }
      let handlers = Handlers(program.operations.count)
      onThreads(4) { thread in
        for (index, action) in actions.enumerated() where index % 3 == thread {
          run.perform(action)
        }
        guard thread == 3 else { return }
        for index in program.operations.indices {
          handlers.listen(index, to: run.promise(index), on: .inline)
        }
      }
      // Settles all remaining promises, so that none is reported as dropped.
      for index in program.operations.indices { run.promise(index).start() }
      for index in program.operations.indices { run.perform(.resolve(index, 1)) }
      run.perform(.drop)
      #expect(run.ends().allSatisfy { $0 != nil }, "program \(seed)\n\(program)")
      let counts = handlers.finalCounts()
      #expect(run.releaseAll() == 0, "program \(seed)\n\(program)")
      #expect(
        counts.allSatisfy { $0 == 1 } || isBound(program, counts), "program \(seed)\n\(program)")
    }
  }
}

extension ProgramRun {
  /// The outcome of each promise after all are settled.
  func ends() -> [Ending?] {
    program.operations.indices.map { index in
      let promise = promise(index)
      _ = try? promise.wait()
      return promise.current.map(Self.outcome)
    }
  }

  /// Releases all promises and waits until other threads have released theirs.
  ///
  /// - Returns: the number of objects that are leaked.
  func releaseAll() -> Int {
    _ = finish()
    while held > 0, isReleased.wait(timeout: .now() + 20) == .success {}
    return held
  }
}
