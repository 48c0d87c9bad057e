import PatternTesting
import Promises
import Testing
import TimingTrace

/// What chains record without a pattern and without a run.
@Suite struct ChainTraceTests {
  private let recording = ChainRecording()

  @Test func `a chain is one span, and runs while a handler does`() {
    let (page, resolver) = recording.pending()
    page.map(recording.working(5)).map(recording.working(2)).named("page")
    recording.at(10) { LaneContext.current.perform(for: Span(id: 7)) { resolver.fulfill(1) } }
    #expect(
      recording.lines == [
        "page submitted@0 in outside",
        "page started@0 by parent outside",
        "page suspended@0 for its resolver",
        "page resumed@10 by wakeUp 7",
        "page suspended@15 for its next link",
        "page resumed@15",
        "page finished@17 success",
      ])
  }

  @Test func `marks show where its promise and its links were made`() {
    let (page, resolver) = recording.pending()
    _ = page.map(file: "Pages/Page.swift", line: 50) { $0 }
    resolver.fulfill(1)
    recording.runtime.runUntilIdle()
    let marks = recording.recorder.snapshot().filter { $0.kind == .mark }
    #expect(marks.map(\.name) == ["made", "link"])
    #expect(marks.last?.detail == "Pages/Page.swift:50")
  }

  @Test func `its label is the place where it was made`() {
    let page = Promise<Int, Never>.withResolvers(
      runtime: recording.runtime, file: "Pages/Page.swift", line: 9)
    #expect(recording.lines.first == "Page.swift:9 submitted@0 in outside")
    withExtendedLifetime(page) {}
  }

  @Test func `branches belong to the chain, and it ends with the last branch`() {
    let (page, resolver) = recording.pending()
    page.named("page")
    _ = page.map(recording.working(5))
    _ = page.map(recording.working(5)).map(recording.working(5))
    recording.at(10) { resolver.fulfill(1) }
    #expect(recording.lines.count { $0.contains("submitted") } == 1)
    #expect(recording.end(of: "page")?.hasPrefix("finished@25 success") == true)
  }

  // MARK: Where a chain starts

  @Test func `a settled promise records nothing, and a link of it starts a chain`() {
    let settled = Promise<Int, any Error>.fulfilled(1, on: .pool, runtime: recording.runtime)
    #expect(recording.lines == [])
    settled.map(recording.working(5)).named("later")
    #expect(
      recording.lines == [
        "later submitted@0 in outside",
        "later started@0 by parent outside",
        "later finished@5 success",
      ])
  }

  @Test func `a handler that runs immediately runs on behalf of the code that adds it`() {
    let settled = Promise<Int, any Error>.fulfilled(1, on: .inline, runtime: recording.runtime)
    settled.map { $0 + 1 }.done { _ in }
    #expect(recording.lines == [])
  }

  @Test func `a link of a chain that has ended starts another chain`() {
    let (page, resolver) = recording.pending()
    page.named("page")
    resolver.fulfill(1)
    page.map(recording.working(5)).map(recording.working(5)).named("later")
    #expect(recording.end(of: "page") == "finished@0 success by parent outside")
    #expect(
      recording.lines(of: "later") == [
        "later submitted@0 in outside", "later started@0 by parent outside",
        "later suspended@5 for its next link", "later resumed@5", "later finished@10 success",
      ])
  }

  @Test func `a lazy chain starts with its first handler`() {
    let page = Promise<Int, Never>.lazy(on: .pool, runtime: recording.runtime) { $0.fulfill(1) }
    page.named("page")
    recording.at(10) { page.done { _ in } }
    let lines = recording.lines
    #expect(
      lines.prefix(2) == ["page submitted@0 in outside", "page started@10 by parent outside"])
    #expect(recording.end(of: "page") == "finished@10 success")
  }

  @Test func `the end of a promise that a handler returns lets the chain continue`() {
    let recording = recording
    let (page, resolver) = recording.pending()
    let (answer, answers) = recording.pending()
    answer.named("answer")
    page.then { _ in answer }.map(recording.working(1)).named("page")
    recording.at(5) { resolver.fulfill(1) }
    recording.at(10) { answers.fulfill(1) }
    #expect(
      recording.lines(of: "page") == [
        "page submitted@0 in outside", "page started@0 by parent outside",
        "page suspended@0 for its resolver", "page resumed@5 by parent outside",
        "page suspended@5 for another promise", "page resumed@10 by end answer",
        "page finished@11 success",
      ])
  }

  @Test func `chains that a handler makes are children of its chain`() {
    let recording = recording
    let (page, resolver) = recording.pending()
    page.then { _ in recording.after(10).named("inner") }.named("outer")
    resolver.fulfill(1)
    #expect(recording.lines.contains("inner submitted@0 in outer"))
    #expect(recording.lines.contains { $0.hasPrefix("outer finished@10 success by end inner") })
  }

  @Test func `an executor runs on behalf of its chain`() {
    let recording = recording
    let page = Promise<Int, any Error>(on: .pool, runtime: recording.runtime) { resolver in
      recording.at(10) { resolver.fulfill(1) }
    }
    page.map(recording.working(1)).named("page")
    #expect(
      recording.lines == [
        "page submitted@0 in outside", "page started@0 by parent outside",
        "page suspended@0 for its resolver", "page resumed@10 by timer page",
        "page suspended@10 for its next link", "page resumed@10 by timer page",
        "page finished@11 success",
      ])
  }

  @Test func `the span of a chain covers its asynchronous function`() {
    let runtime = recording.runtime
    Promise(on: .pool, runtime: runtime) { () async throws -> Int in
      try await runtime.clock.sleep(for: .ms(10))
      return 1
    }.map(recording.working(5)).named("page")
    #expect(recording.end(of: "page") == "finished@15 success")
    #expect(recording.lines.count { $0.contains("submitted") } == 1)
  }

  @Test func `the end of each gathered chain lets the gathering chain continue`() {
    let (first, second) = (recording.after(10).named("first"), recording.after(20).named("second"))
    Promise.all(first, second).done(on: .inline) { _ in }.named("both")
    #expect(
      recording.lines(of: "both") == [
        "both submitted@0 in outside", "both started@0 by parent outside",
        "both suspended@0 for other promises", "both resumed@20 by end second",
        "both finished@20 success",
      ])
  }

  @Test func `attempts are children of the chain that makes them`() {
    let recording = recording
    Promise.retry(2, backoff: Backoff(.ms(5)), on: .pool, runtime: recording.runtime) { number in
      let (attempt, resolver) = recording.pending()
      recording.at(1) {
        resolver.resolve(number == 1 ? .failure(StepFailure("busy")) : .success(number))
      }
      return attempt.named("attempt \(number)")
    }.named("download")
    #expect(recording.lines.contains("attempt 1 submitted@0 in download"))
    #expect(recording.lines.contains("attempt 2 submitted@6 in download"))
    #expect(recording.end(of: "download") == "finished@7 success by end attempt 2")
  }

  @Test func `a chain waits for the timer of its link`() {
    let (page, resolver) = recording.pending()
    page.delay(.ms(10)).named("page")
    recording.at(5) { resolver.fulfill(1) }
    #expect(recording.lines.contains("page resumed@15 by timer page"))
    #expect(recording.lines.count { $0.contains("submitted") } == 1)
    #expect(recording.end(of: "page")?.hasPrefix("finished@15 success") == true)
  }

  // MARK: Where nothing is recorded

  @Test func `nothing is recorded where the scope disables it`() {
    let log = Log()
    withPromiseDefaults(runtime: recording.runtime, isTraced: false) {
      let (page, resolver) = Promise<Int, Never>.withResolvers()
      page.then { Promise.fulfilled($0 + 1).map { $0 } }.done { log.append("\($0)") }.named("page")
      resolver.fulfill(1)
    }
    #expect(recording.lines == [] && log.entries == ["2"])
  }

  @Test func `a trace without source places has none for chains`() {
    final class Counter: TraceSink {
      let count = Locked(0)
      func record(_ event: consuming TraceEvent) { count.withLock { $0 += 1 } }
    }
    let counter = Counter()
    let runtime = SimulatedRuntime(trace: counter)
    let (page, resolver) = Promise<Int, Never>.withResolvers(runtime: runtime)
    page.map { $0 }.done { _ in }
    resolver.fulfill(1)
    runtime.runUntilIdle()
    #expect(counter.count.withLock { $0 } == 0)
  }
}
