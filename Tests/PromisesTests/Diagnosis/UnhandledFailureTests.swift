import AsyncSimulation
import Promises
import Testing

/// Which failures are reported, how often, and what the report contains.
@Suite struct UnhandledFailureTests {
  private let reports = Reports()

  @Test
  func
    `a failure that is never handled is reported once, with its path through the promises`()
    throws
  {
    let line: UInt = #line
    do {
      let (page, resolver) = reports.pending(line: line + 1)
      page.map(line: line + 2) { $0 + 1 }
        .tryMap(line: line + 3) { _ -> Int in throw StepFailure("no number") }
        .map(line: line + 4) { $0 + 1 }
        .done(line: line + 5) { _ in }
      resolver.fulfill(1)
    }
    #expect(reports.recording.misuse == [], "a lock may be held where a promise is released")
    let details = reports.unhandled
    #expect(details.count == 1)
    let detail = try #require(details.first)
    #expect(detail.contains("“no number”"))
    let site = { (offset: UInt) in "PromisesTests/UnhandledFailureTests.swift:\(line + offset)" }
    #expect(detail.contains("began in the promise made at \(site(3)),"))
    #expect(detail.contains("lost when the promise made at \(site(5)) was released;"))
    #expect(detail.contains(", passed through \(site(4)), and"))
    #expect(!detail.contains(site(2)), "it went well up to there")
    #expect(detail.contains("ignoringFailure()"))
  }

  @Test func `a failed promise without handlers is reported with the place that made it`() {
    let line: UInt = #line
    _ = reports.failed(line: line + 1)
    do {
      let (_, resolver) = reports.pending(line: line + 2)
      resolver.reject(StepFailure("no page"))
    }
    let details = reports.unhandled
    #expect(details.count == 2)
    for (offset, detail) in details.enumerated() {
      #expect(detail.contains("UnhandledFailureTests.swift:\(line + 1 + UInt(offset));"))
    }
  }

  @Test func `no report is made while a reference to the promise remains`() {
    var page = Optional(reports.failed())
    #expect(reports.unhandled.count == 0)
    withExtendedLifetime(page) {}
    page = nil
    #expect(reports.unhandled.count == 1)
  }

  // MARK: What handles a failure

  typealias Use = @Sendable (Reports.Page, Reports) -> Void

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let use: Use

    init(_ name: String, _ use: @escaping Use) {
      testDescription = name
      self.use = use
    }
  }

  private static let taking = [
    Row("catch") { page, _ in page.catch { _ in } },
    Row("catch of its type") { page, _ in page.catch(StepFailure.self) { _ in } },
    Row("catch where") { page, _ in page.catch(where: { _ in true }) { _ in } },
    Row("catch, and a chain that continues") { page, _ in
      page.catch { _ in }.map { $0 + 1 }.done { _ in }
    },
    Row("catch at the end of a chain") { page, _ in
      page.map { $0 + 1 }.ensure {}.then { .fulfilled($0) }.done { _ in }.catch { _ in }
    },
    Row("recover") { page, _ in _ = page.recover { _ in 0 } },
    Row("recover from its type") { page, _ in _ = page.recover(from: StepFailure.self) { _ in 0 } },
    Row("recover where") { page, _ in _ = page.recover(where: { _ in true }) { _ in 0 } },
    Row("flatMapError") { page, reports in
      _ = page.flatMapError { _ in Reports.Page.fulfilled(0, runtime: reports.runtime) }
    },
    Row("mapError and catch") { page, _ in page.mapError { $0 }.catch { _ in } },
    Row("whenComplete") { page, _ in page.whenComplete { _ in } },
    Row("whenComplete elsewhere") { page, _ in page.map { $0 + 1 }.whenComplete(on: .pool) { _ in }
    },
    Row("current") { page, reports in
      reports.runtime.pool.schedule(after: .ms(50)) { _ = page.current }
    },
    Row("wait") { page, reports in
      reports.runtime.pool.schedule(after: .ms(50)) { _ = try? page.wait() }
    },
    Row("one branch of two") { page, _ in
      page.done { _ in }
      page.ensure {}
      page.catch { _ in }
    },
    Row("a promise that is settled with it") { page, reports in
      let (other, resolver) = reports.pending()
      resolver.resolve(with: page)
      other.catch { _ in }
    },
    Row("a chain elsewhere") { page, _ in page.on(.pool).until(Cancellation()).catch { _ in } },
    Row("ensureThen and catch") { page, reports in
      page.ensureThen { Reports.Page.fulfilled(0, runtime: reports.runtime) }.catch { _ in }
    },
    Row("a follower of several") { page, reports in
      _ = Promise.settled([page, reports.failed()])
    },
    Row("ignoringFailure") { page, _ in page.ignoringFailure() },
    Row("ignoringFailure at the end of a chain") { page, _ in
      page.map { $0 + 1 }.ensure {}.ignoringFailure()
    },
  ]

  @Test(arguments: taking, [true, false])
  func `code that gets the failure handles it`(_ row: Row, isPending: Bool) {
    row.use(isPending ? reports.failing(after: .ms(5)) : reports.failed(), reports)
    #expect(reports.unhandled == [])
  }

  @Test func `an await handles it`() async throws {
    let reports = reports
    let run = Promise<Void, any Error>(on: .inline, runtime: reports.runtime) {
      _ = try await reports.failing(after: .ms(5)).map { $0 + 1 }.value
    }
    run.ignoringFailure()
    #expect(reports.unhandled == [])
    #expect(run.current != nil)
  }

  private static let passing = [
    Row("nothing") { _, _ in },
    Row("map") { page, _ in _ = page.map { $0 + 1 } },
    Row("then") { page, reports in
      _ = page.then { Reports.Page.fulfilled($0, runtime: reports.runtime) }
    },
    Row("get") { page, _ in _ = page.get { _ in } },
    Row("tap") { page, _ in page.tap { _ in } },
    Row("inspect") { page, _ in page.inspect { _ in } },
    Row("done") { page, _ in page.done { _ in } },
    Row("ensure") { page, _ in page.ensure {} },
    Row("finally") { page, _ in page.finally {} },
    Row("ensureThen") { page, reports in
      page.ensureThen { Reports.Page.fulfilled(0, runtime: reports.runtime) }
    },
    Row("validate") { page, _ in _ = page.validate { _ in true } },
    Row("delay") { page, _ in _ = page.delay(.ms(5)) },
    Row("timeout") { page, _ in _ = page.timeout(.ms(50)) },
    Row("catch of another type") { page, _ in page.catch(TimedOut.self) { _ in } },
    Row("catch where not") { page, _ in page.catch(where: { _ in false }) { _ in } },
    Row("recover from another type") { page, _ in _ = page.recover(from: TimedOut.self) { _ in 0 }
    },
    Row("recover where not") { page, _ in _ = page.recover(where: { _ in false }) { _ in 0 } },
    Row("a chain elsewhere") { page, _ in _ = page.on(.pool).until(Cancellation()) },
    Row("a promise that is settled with it") { page, reports in
      let (_, resolver) = reports.pending()
      resolver.resolve(with: page)
    },
    Row("what then returns") { page, reports in
      _ = Promise.fulfilled(1, on: .inline, runtime: reports.runtime).then { _ in page }
    },
    Row("branches") { page, _ in
      page.done { _ in }
      page.map { $0 + 1 }.ensure {}
      page.tap { _ in }
    },
    Row("all") { page, reports in
      _ = Promise.all([page, .fulfilled(1, runtime: reports.runtime)])
    },
    Row("race") { page, reports in _ = Promise.race([page, .never(runtime: reports.runtime)]) },
    Row("join") { page, reports in
      _ = Promise.join([.fulfilled(1, runtime: reports.runtime), page])
    },
    Row("select") { page, _ in _ = Reports.Page.select(.when(page) { $0 }) },
    Row("map over a sequence") { page, reports in
      _ = Promise<[Int], any Error>.map([1, 2], width: 2, on: .inline, runtime: reports.runtime) {
        _ in page
      }
    },
    Row("retry") { page, reports in
      _ = Reports.Page.retry(3, on: .inline, runtime: reports.runtime) { _ in page }
    },
  ]

  @Test(arguments: passing, [true, false])
  func `a link that only forwards a failure does not handle it`(_ row: Row, isPending: Bool) {
    row.use(isPending ? reports.failing(after: .ms(5)) : reports.failed(), reports)
    let details = reports.unhandled
    #expect(details.count == 1, "\(details)")
    #expect(details.first?.contains("“no page”") == true)
  }

  static let replacing = [
    Row("mapError") { page, _ in _ = page.mapError { _ in StepFailure("worse") } },
    Row("recover that throws") { page, _ in
      _ = page.recover { _ throws(StepFailure) -> Int in throw StepFailure("worse") }
    },
    Row("flatMapError that throws") { page, _ in
      _ = page.flatMapError { _ throws(any Error) -> Reports.Page in throw StepFailure("worse") }
    },
    Row("any") { page, _ in
      _ = Promise.any([page.mapError { _ in StepFailure("worse") }])
    },
  ]

  @Test(arguments: replacing)
  func `a failure that replaces another is a new failure`(_ row: Row) {
    row.use(reports.failed(), reports)
    let details = reports.unhandled
    #expect(details.count == 1, "\(details)")
    #expect(details.first?.contains("worse”") == true)
    #expect(details.first?.contains("with another error from there on") == true)
  }

  @Test func `a retry handles the failure of each attempt except the last`() {
    let reports = reports
    _ = Reports.Page.retry(3, on: .inline, runtime: reports.runtime) { number in
      reports.failing(after: .ms(1), "attempt \(number)")
    }
    let details = reports.unhandled
    #expect(details.count == 1 && details.first?.contains("“attempt 3”") == true, "\(details)")
  }

  @Test func `a handler that is cancelled while it runs has not handled its failure`() {
    let log = Log()
    do {
      let (page, resolver) = reports.pending()
      let kept = Locked<Reports.Page?>(nil)
      let ensured = page.ensure { kept.withLock { $0.take() }?.cancel() }
      kept.withLock { $0 = ensured }
      ensured.catch(.all) { log.append("\($0 is CancellationError)") }
      ensured.ignoringFailure()
      resolver.reject(StepFailure("no page"))
      #expect(log.entries == ["true"])
      #expect(ensured.failureTrail == nil)
    }
    let details = reports.unhandled
    #expect(details.count == 1 && details.first?.contains("“no page”") == true, "\(details)")
  }
}
