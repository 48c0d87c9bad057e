import PatternTesting
import Testing

@testable import RunLoopTransaction

/// Compares the state of a queue with a model, under random commits, cancellations and flushes.
@Suite struct TransactionStateTests {
  @Test(arguments: 1...40) func `the state behaves like the model`(_ seed: UInt64) {
    var trial = Trial(seed: seed)
    for _ in 0..<1_500 { trial.step() }
    trial.finish()
  }

  @Test func `cancelling one of many commits does not copy the earlier cancellations`() throws {
    let target = Label("a", Log())
    let action = TransactionAction<Label>("x") { _ in }.body
    var state = TransactionState()
    let site = CommitSite(file: #fileID, line: #line)
    let numbers = (0..<2_000).map { _ in
      state.commit(target, action, .normal, .none, site, nil).number
    }
    for number in numbers.dropLast() {
      #expect(state.cancel(number, ObjectIdentifier(target), action).cancelled?.wasPending == true)
    }
    let next = state.removeNext()
    var entry = try #require(next)
    #expect(entry.commits == 2_000 && entry.cancelled.count == 1_999)
    // The cancellation is stored in the existing object.
    let rareState = entry.rareState
    #expect(entry.cancel(7_777) && !entry.cancel(7_777))
    #expect(entry.rareState === rareState)
  }

  /// One sequence of random calls.
  private struct Trial {
    var random: SeededGenerator
    var state = TransactionState()
    var model = TransactionModel()
    let targets: [Label]
    /// The first index is the key. The second index selects one of two equal actions.
    let actions: [[ActionBody]]
    var commitments: [(number: UInt64, target: Int, key: Int)] = []
    var isFlushing = false
    var line: UInt = 0

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      let log = Log()
      targets = (0..<5).map { Label("\($0)", log) }
      actions = (0..<3).map { key in
        (0..<2).map { _ in TransactionAction<Label>(key) { _ in }.body }
      }
    }

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func step() {
      switch pick(20) {
      case 0...9: commit()
      case 10...14: cancel()
      case 15: beginFlush()
      case 16...18: performNext()
      default: if isFlushing, pick(3) == 0 { endFlush() }
      }
      #expect(state.count == model.pending.all.count + model.flushing.all.count)
    }

    mutating func commit() {
      let (target, key, which, priority) = (pick(5), pick(3), pick(2), pick(9))
      // The priority is normal in most cases.
      let level = priority < 7 ? 1 : (priority - 7) * 2
      line += 1
      let wasEmpty = model.pending.all.isEmpty
      let committed = state.commit(
        targets[target], actions[key][which], Priority.Level(rawValue: level) ?? .normal,
        .none,
        CommitSite(file: #fileID, line: line), nil)
      model.commit(
        .init(
          target: target, key: key, priority: level, action: which, line: line,
          commits: [committed.number]))
      #expect(committed.wakes == (wasEmpty && !isFlushing))
      commitments.append((committed.number, target, key))
    }

    mutating func cancel() {
      guard !commitments.isEmpty else { return }
      // In most cases one of the last commitments is selected, because those are still pending.
      let back = pick(4) == 0 ? pick(commitments.count) : pick(min(commitments.count, 12))
      let (number, target, key) = commitments[commitments.count - 1 - back]
      let (cancelled, _) = state.cancel(
        number, ObjectIdentifier(targets[target]), actions[key][pick(2)])
      #expect((cancelled?.wasPending ?? false) == model.cancel(number))
    }

    mutating func beginFlush() {
      if isFlushing { return }
      let begins = model.beginFlush()
      #expect(state.beginFlush() == begins)
      isFlushing = begins
    }

    mutating func performNext() {
      guard isFlushing else { return }
      let (next, expected) = (state.next(), model.next())
      #expect((next == nil) == (expected == nil))
      guard let next, let expected else { return }
      #expect(ObjectIdentifier(next.target) == ObjectIdentifier(targets[expected.target]))
      #expect(next.action === actions[expected.key][expected.action])
      #expect(next.priority.rawValue == expected.priority && next.site.line == expected.line)
      // If all commits of an equal, later transaction were cancelled, the state counts them here as well. The model
      // does not.
      let stand = next.commits - next.cancelled.count
      #expect(stand == expected.commits.count - expected.cancelled.count)
    }

    mutating func endFlush() {
      let leftOver = model.flushing.all.count
      let performed = model.performed
      model.endFlush()
      let flushed = state.endFlush(from: .zero, to: .zero)
      #expect(flushed.metrics.leftOver == leftOver && state.metrics.performed == performed)
      #expect(flushed.wakes == !model.pending.all.isEmpty)
      isFlushing = false
      agree()
    }

    func agree() {
      let metrics = state.metrics
      #expect(metrics.committed == model.committed && metrics.coalesced == model.coalesced)
      #expect(metrics.cancelled == model.cancelled && metrics.performed == model.performed)
      let ended = metrics.coalesced + metrics.cancelled + metrics.performed
      #expect(metrics.committed == ended + state.count)
    }

    /// Flushes until no transaction is left.
    mutating func finish() {
      for _ in 0..<2 {
        beginFlush()
        while isFlushing, !model.flushing.all.isEmpty { performNext() }
        if isFlushing { endFlush() }
      }
      #expect(state.count == 0)
      agree()
    }
  }
}
