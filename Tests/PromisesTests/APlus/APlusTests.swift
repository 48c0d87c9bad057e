import AsyncSimulation
import Foundation
import Promises
import Testing

/// Promises/A+, case by case. Cases that have no meaning in Swift do not run and do not count as passed.
@Suite struct APlusTests {
  @Test(arguments: APlus.cases.filter(\.applies))
  func `Promises A+`(_ tested: APlusCase) {
    #expect(tested.run() == [])
  }

  /// Runs the handlers on their own scheduler, which a worker serves after an arbitrary delay.
  @Test(arguments: Set(APlus.cases.map(\.section)).sorted())
  func `Promises A+, under any schedule`(_ section: String) {
    let cases = APlus.cases.filter { $0.section == section }
    for (tested, strategy) in cases.flatMap({ one in
      [Exploration.Strategy.random, .pct(depth: 3)].map { (one, $0) }
    }) {
      guard case .applies(let body) = tested.kind else { continue }
      let report = Exploration(schedules: 10, strategy: strategy, workers: 2).explore { runtime in
        let trial = Trial(on: .scheduler(runtime.serial("handlers")), runtime)
        trial.start(body)
        return { trial.finish().first }
      }
      #expect(report.violation == nil, "\(tested.testDescription): \(report)")
    }
  }

  /// Some cases of sections other than 2.2.4 rely on a clean stack, too. For example, they settle a promise and set a
  /// flag afterwards. Others return a promise that is not assigned to its variable yet, or add a handler after a
  /// handler that adds one.
  @Test func `with inline handlers only the cases that need a clean stack fail`() {
    let failing = APlus.cases.filter { tested in
      guard case .applies(let body) = tested.kind else { return false }
      return Trial.run(on: .inline, body) != []
    }
    let counts = Dictionary(grouping: failing, by: \.section).mapValues(\.count)
    #expect(
      counts == [
        "2.2.4": 8, "2.2.2.2": 1, "2.2.3.2": 1, "2.2.6.1": 1, "2.2.6.2": 1, "2.3.1": 2,
        "2.3.3.3": 2,
      ], "\(failing.map(\.testDescription))")
  }

  @Test func `each section has as many cases as the original`() {
    for (section, count) in APlus.counts {
      #expect(APlus.cases.count { $0.section == section } == count, "\(section)")
    }
    #expect(APlus.cases.count == 872)
    #expect(APlus.counts.map(\.count).reduce(0, +) == 872)
  }

  @Test func `each case has a unique name`() {
    let names = Dictionary(grouping: APlus.cases, by: \.testDescription)
    #expect(names.filter { $0.value.count > 1 }.keys.sorted() == [])
  }

  @Test func `the table in the documentation matches the results of the cases`() throws {
    let table = APlusTable(APlus.cases.map { ($0, $0.run()) })
    let article = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Modules/Libraries/Promises/Promises.docc/APlus.md")
    let shown = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("|") }
    #expect(shown.map(String.init) == table.lines)
  }

  @Test func `a case fails if its expectation is not met`() {
    #expect(Trial.run { _ in } == ["it should have ended once, and ended 0 times"])
    #expect(
      Trial.run { trial in
        trial.resolved(Object.dummy).onFulfilled { value in
          trial.expectSame(value, .sentinel)
          trial.end()
        }
      } == ["expected sentinel, found dummy"])
    #expect(
      Trial.run { trial in
        for _ in 0..<2 { trial.resolved(Object.dummy).onFulfilled { _ in trial.end() } }
      } == ["it should have ended once, and ended 2 times"])
  }
}
