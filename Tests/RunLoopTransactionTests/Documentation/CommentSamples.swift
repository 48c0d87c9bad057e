import RunLoopTransaction
import Testing

extension TransactionAction where Target == Label {
  static let layout = TransactionAction("layout") { label in label.layOut() }
}

/// The samples of the comments on transactions and their queues.
@Suite struct CommentSamples {
  fileprivate final class Title: Sendable {
    struct State: Sendable {
      var text = ""
      var didLayOut: (@Sendable (String) -> Void)?
    }

    let state = Locked(State())

    func setText(_ text: String) {
      state.withLock { $0.text = text }
      Transaction(self, action: .layout).commit()
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a transaction`() async {
    let title = Title()
    let text = await withCheckedContinuation { continuation in
      title.state.withLock { $0.didLayOut = { text in continuation.resume(returning: text) } }
      // Both commits are made in one job, and so in one turn.
      LiveRuntime.shared.main.schedule {
        title.setText("first")
        title.setText("second")
      }
    }
    #expect(text == "second")
  }

  @Test func `a queue`() {
    let runtime = SimulatedRuntime()
    let (loop, log) = (runtime.main, Log())
    let label = Label("a", log)
    let queue = TransactionQueue("layout", on: loop)
    Transaction(label, action: .layout).commit(to: queue)
    Transaction(label, action: .layout).commit(to: queue)
    // at the end of the turn the label is laid out, once
    runtime.runUntilIdle()
    #expect(log.entries == ["a: layout"])
  }

  @Test(.timeLimit(.minutes(1))) func `a budget`() async {
    let budget = TurnBudget(.milliseconds(4))
    let layout = TransactionQueue("layout", sharing: budget, order: 1_000_000)
    let drawing = TransactionQueue("drawing", sharing: budget, order: 2_000_000)
    let log = Log()
    let (label, other) = (Label("a", log), Label("b", log))
    await withCheckedContinuation { continuation in
      LiveRuntime.shared.main.schedule {
        Transaction(other, "draw") { _ in continuation.resume() }.commit(to: drawing)
        Transaction(label, action: .layout).commit(to: layout)
      }
    }
    #expect(log.entries == ["a: layout"])
  }
}

extension TransactionAction where Target == CommentSamples.Title {
  fileprivate static let layout = TransactionAction("layout") { title in
    let state = title.state.withLock { $0 }
    state.didLayOut?(state.text)
  }
}
