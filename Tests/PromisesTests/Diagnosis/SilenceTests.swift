import AsyncSimulation
import Promises
import Testing

/// Outcomes that are not mistakes are not reported.
@Suite struct SilenceTests {
  private let reports = Reports()

  @Test func `a cancellation is not reported as a failure`() {
    let (page, resolver) = reports.pending()
    page.map { $0 + 1 }.done { _ in }
    page.cancel()
    let (other, otherResolver) = reports.pending()
    other.map { $0 + 1 }.done { _ in }
    otherResolver.reject(CancellationError())
    let cancellation = Cancellation()
    let third = reports.pending()
    third.promise.until(cancellation).map { $0 + 1 }.done { _ in }
    cancellation.cancel()
    third.resolver.fulfill(1)
    withExtendedLifetime(resolver) {}
    #expect(reports.unhandled == [])
    #expect(reports.recording.misuse == [])
    #expect(page.failureTrail == nil && other.failureTrail == nil)
  }

  @Test func `the cancellation of all of several promises is a cancellation, too`() {
    let pages = (1...2).map { _ in reports.pending().promise }
    _ = Promise.any(pages).ensure {}
    for page in pages { page.cancel() }
    #expect(reports.unhandled == [])
    _ = Promise<Int, AllFailed<any Error>>.any([reports.failed(), pages[0]])
    #expect(reports.unhandled.count == 1)
  }

  @Test func `continuing a task after its failure handles the failure`() {
    let executors: [Bolts.Executor] = [.immediate, .mainThread, .escapingClosure { $0() }]
    for executor in executors {
      let task = Bolts.Task(reports.failed())
      task.continueWith(executor) { _ in }
      Bolts.Task(reports.failed()).continueOnErrorWith(executor) { _ in 0 }
      Bolts.Task(reports.failed()).continueOnErrorWithTask(executor) { _ in Bolts.Task(0) }
    }
    #expect(reports.unhandled == [])
    Bolts.Task(reports.failed()).continueOnSuccessWith { $0 + 1 }
    #expect(reports.unhandled.count == 1)
  }

  @Test func `an unused resolver gets its own report and no other`() {
    do {
      let (page, _) = reports.pending()
      page.map { $0 + 1 }.done { _ in }
    }
    #expect(LateReport.areUnderWay, "the code that closes the trace must wait for it")
    _ = reports.unhandled
    #expect(reports.recording.misuse == ["completion-dropped"])
  }

  @Test func `a promise that is abandoned on purpose is not reported`() {
    let log = Log()
    do {
      let (page, resolver) = reports.pending()
      page.whenComplete { _ in log.append("notified") }
      #expect(resolver.abandon())
      #expect(!resolver.abandon())
      #expect(!resolver.tryResolve(.success(1)))
      #expect(throws: WaitRefused.self) { try page.wait() }
    }
    let (page, resolver) = reports.pending()
    resolver.fulfill(1)
    #expect(!resolver.abandon())
    #expect(page.fulfilled == 1)
    #expect(reports.unhandled == [])
    #expect(reports.recording.misuse == [])
    #expect(log.entries == [])
  }

  @Test func `ignoring the failure of a lazy promise does not start it`() {
    let log = Log()
    let page = Promise<Int, any Error>.lazy(on: .inline, runtime: reports.runtime) { _ in
      log.append("runs")
      throw StepFailure("no page")
    }
    page.ignoringFailure()
    #expect(log.entries == [])
    page.map { $0 + 1 }.done { _ in }
    #expect(log.entries == ["runs"])
    #expect(reports.unhandled == [])
  }

  @Test func `an ignored failure stays ignored, even if dependents are moved past the promise`() {
    do {
      let (first, resolveFirst) = reports.pending()
      let (second, resolveSecond) = reports.pending()
      let (last, resolveLast) = reports.pending()
      let inner = second.then { _ in last }
      inner.ignoringFailure()
      let outer = first.then { _ in inner }
      resolveFirst.fulfill(1)
      resolveSecond.fulfill(2)
      resolveLast.reject(StepFailure("no page"))
      #expect(outer.failureTrail != nil)
    }
    #expect(reports.unhandled == [])
  }

  typealias Use = @Sendable (Reports) -> Void

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The expected report, or nil for none.
    var report: String?
    let use: Use

    init(_ name: String, report: String? = nil, _ use: @escaping Use) {
      testDescription = name
      self.report = report
      self.use = use
    }
  }

  private static func three(_ reports: Reports) -> [Reports.Page] {
    (1...3).map { reports.failing(after: .ms($0), "no page \($0)") }
  }

  private static func settledThree(_ reports: Reports) -> [Reports.Page] {
    (1...3).map { reports.failed("no page \($0)") }
  }

  private static func fulfilled(_ reports: Reports) -> Reports.Page {
    .fulfilled(1, on: .inline, runtime: reports.runtime)
  }

  /// Of several gathered promises only the deciding one counts.
  private static let losers = [
    Row("all") { Promise.all(three($0)).catch { _ in } },
    Row("all, released", report: "no page 1") { _ = Promise.all(three($0)) },
    Row("all of settled ones") { Promise.all(settledThree($0)).catch { _ in } },
    Row("all of settled ones, released", report: "no page 1") {
      _ = Promise.all(settledThree($0))
    },
    Row("all of different types") { reports in
      let three = three(reports)
      let all: Promise<(Int, Int, Int), any Error> = Promise.all(three[0], three[1], three[2])
      all.catch { _ in }
    },
    Row("all branches of one", report: "no page") { reports in
      let page = reports.failing(after: .ms(1))
      _ = Promise.all([
        page, page.map { $0 }, page.map { $0 }.map { $0 }, page.map(on: .pool) { $0 },
      ])
    },
    Row("all branches of one, that is taken") { reports in
      let page = reports.failing(after: .ms(1))
      Promise.all([page, page.map { $0 }, page.map(on: .pool) { $0 }]).catch { _ in }
    },
    Row("race") { Promise.race([fulfilled($0)] + three($0)).catch { _ in } },
    Row("race that is lost", report: "no page 1") { _ = Promise.race(three($0)) },
    Row("race of settled ones, released", report: "no page 1") {
      _ = Promise.race(settledThree($0))
    },
    Row("any") { reports in
      _ = Promise.any(three(reports) + [reports.failing(after: .ms(9)).recover { _ in 1 }])
    },
    Row("any of settled ones") { _ = Promise.any(settledThree($0) + [fulfilled($0)]) },
    Row("settled") { _ = Promise.settled(three($0)) },
    Row("join") { Promise.join(three($0)).catch { _ in } },
    Row("join, released", report: "no page 1") {
      _ = Promise.join(three($0).reversed().reversed())
    },
    Row("select") { reports in
      let three = three(reports)
      _ = Reports.Page.select(
        .when(three[0]) { $0 }, .when(three[1]) { $0 }, .when(three[2]) { $0 }
      ).catch { _ in }
    },
    Row("timeout that has passed") { reports in
      reports.failing(after: .ms(9)).timeout(.ms(5)).catch { _ in }
    },
    Row("timeout that yields nothing") { reports in
      _ = reports.failing(after: .ms(9)).timeoutOrNil(.ms(5))
    },
    Row("map over a sequence") { reports in
      Promise<[Int], any Error>.map(1...3, width: 3, on: .inline, runtime: reports.runtime) {
        reports.failing(after: .ms($0))
      }.catch { _ in }
    },
    Row("map over a sequence, released", report: "no page 1") { reports in
      _ = Promise<[Int], any Error>.map(1...3, width: 3, on: .inline, runtime: reports.runtime) {
        reports.failing(after: .ms($0), "no page \($0)")
      }
    },
    Row("all that is cancelled") { reports in
      let all = Promise.all(three(reports))
      reports.runtime.pool.schedule(after: .microseconds(500)) { all.cancel() }
    },
    Row("retry that is cancelled") { reports in
      let retry = Reports.Page.retry(9, on: .inline, runtime: reports.runtime) { _ in
        reports.failing(after: .ms(2))
      }
      reports.runtime.pool.schedule(after: .ms(3)) { retry.cancel() }
    },
  ]

  @Test(arguments: losers)
  func `of several failures the deciding one is reported if it is unhandled`(_ row: Row) {
    row.use(reports)
    let details = reports.unhandled
    #expect(details.count == (row.report == nil ? 0 : 1), "\(details)")
    if let report = row.report {
      #expect(details.first?.contains("“\(report)”") == true, "\(details)")
    }
  }

  @Test func `a fulfilled promise is never reported`() {
    let (page, resolver) = reports.pending(.main)
    page.map { $0 + 1 }.ensure {}.done { _ in }
    resolver.fulfill(1)
    #expect(reports.unhandled == [])
    #expect(page.failureTrail == nil)
  }
}
