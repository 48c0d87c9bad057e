import RunLoopTransaction
import Testing

extension TransactionAction where Target == View {
  static let layout = TransactionAction("layout") { view in view.layOut() }
}

func setNeedsLayout(_ view: View) {
  Transaction(view, action: .layout).commit()
}

/// The page, section by section.
@Suite struct TransactionSamples {
  let recording = Recording()
  let runtime: SimulatedRuntime
  let log = Log()
  let queue: TransactionQueue
  let title: View
  let page: View

  init() {
    runtime = SimulatedRuntime(trace: recording)
    queue = TransactionQueue(runtime: runtime)
    title = View("title", log)
    page = View("page", log)
  }

  @Test(.timeLimit(.minutes(1))) func `the fix, on the live runtime`() async {
    let view = View("title", log)
    await withCheckedContinuation { continuation in
      view.onLayout { continuation.resume() }
      // Both calls are made in one job, and so in one turn.
      LiveRuntime.shared.main.schedule {
        setNeedsLayout(view)
        setNeedsLayout(view)
      }
    }
    #expect(log.entries == ["title is laid out"])
  }

  @Test func `one entry`() {
    for text in ["D", "Do", "Done"] {
      Transaction(title, "text") { title in title.text = text }.commit(to: queue)
    }
    Transaction(title, action: .layout).commit(to: queue)

    runtime.runUntilIdle()
    #expect(log.entries == ["title is laid out: Done"])
    #expect(queue.metrics.performed == 2)
  }

  @Test func `order`() {
    Transaction(page, "thumbnails", priority: .low) { $0.log("thumbnails") }.commit(to: queue)
    Transaction(page, "text") { $0.log("text") }.commit(to: queue)
    Transaction(page, "touch", priority: .high) { $0.log("touch") }.commit(to: queue)

    runtime.runUntilIdle()
    #expect(log.entries == ["touch", "text", "thumbnails"])
  }

  @Test func `any thread`() {
    let (title, queue) = (title, queue)
    runtime.pool.schedule {
      Transaction(title, action: .layout).commit(to: queue)
    }

    runtime.runUntilIdle()
    #expect(log.entries == ["title is laid out"])
  }

  @Test func `the next turn`() {
    let (title, queue) = (title, queue)
    Transaction(page, "layout") { page in
      page.log("page")
      Transaction(title, action: .layout).commit(to: queue)
    }.commit(to: queue)

    runtime.runUntilIdle()
    #expect(log.entries == ["page", "title is laid out"])
    #expect(queue.metrics.flushes == 2)
  }

  @Test func `cancelled commits`() {
    let mine = Transaction(title, action: .layout).commit(to: queue)
    let theirs = Transaction(title, action: .layout).commit(to: queue)
    mine.cancel()  // the transaction is still performed, for the other commit
    theirs.cancel()  // now it is not performed, and its target is released

    runtime.runUntilIdle()
    #expect(log.entries == [])
  }

  @Test func `now`() {
    let (title, queue) = (title, queue)
    runtime.main.schedule {
      Transaction(title, action: .layout).commit(to: queue)
      queue.flushNow()  // on the loop: performed when this returns
    }
    runtime.main.schedule { [log] in log.append("next") }

    runtime.runUntilIdle()
    #expect(log.entries == ["title is laid out", "next"])
  }

  @Test func `a budget`() {
    let budget = TurnBudget(.milliseconds(4), runtime: runtime)
    let layout = TransactionQueue("layout", sharing: budget, order: 1_000_000)
    let drawing = TransactionQueue("drawing", sharing: budget, order: 2_000_000)

    let runtime = runtime
    for number in 1...3 {
      Transaction(title, number) { title in
        runtime.work(for: .milliseconds(2))
        title.log("layout \(number)")
      }.commit(to: layout)
    }
    Transaction(page, "draw") { $0.log("drawing") }.commit(to: drawing)
    runtime.runUntilIdle()
    #expect(log.entries == ["layout 1", "layout 2", "drawing", "layout 3"])
  }

  @Test func `cycles`() {
    @Sendable func invalidate(_ view: View, in queue: TransactionQueue) {
      Transaction(view, "layout") { view in invalidate(view, in: queue) }.commit(to: queue)
    }
    let queue = TransactionQueue("layout", cycleLimit: 100, runtime: runtime)
    Transaction(title, "layout") { title in invalidate(title, in: queue) }.commit(to: queue)

    runtime.runUntilIdle(limit: 10_000)
    let report = recording.events.first { $0.kind == .misuse }?.detail ?? ""
    #expect(report.hasPrefix("queue “layout”: “View”, “layout” commits itself again at "))
    #expect(report.contains("101 turns in a row: the commit was refused"))
  }

  @Test func `metrics`() {
    let (log, runtime) = (log, runtime)
    func make() -> TransactionQueue {
      let print: @Sendable (String) -> Void = { log.append($0) }
      let queue = TransactionQueue(runtime: runtime) { flush in
        print("\(flush.performed) of \(flush.committed) commits in \(flush.duration)")
      }
      return queue
    }
    let queue = make()
    for _ in 1...3 { Transaction(title, action: .layout).commit(to: queue) }
    runtime.runUntilIdle()
    #expect(log.entries.last == "1 of 3 commits in 0.0 seconds")
  }

  @Test(.timeLimit(.minutes(1))) func `several run loops`() async {
    let loop = LiveRuntime.shared.runLoop("pages")  // a CFRunLoop on a thread of its own
    let pages = TransactionQueue("pages", on: loop)

    let page = page
    await withCheckedContinuation { continuation in
      page.onLayout { continuation.resume() }
      Transaction(page, action: .layout).commit(to: pages)
    }
    #expect(log.entries == ["page is laid out"])
  }
}
