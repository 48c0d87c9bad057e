import AsyncSimulation
import PatternTesting
import Promises
import Testing

/// The results of gathering several promises.
@Suite struct GatheringTests {
  typealias Source = Promise<Int, any Error>

  /// How three promises end, at 10, 20 and 30 ms: with a value, or with an error of that name.
  enum End: Sendable {
    case value(Int)
    case error(String)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let ends: [(at: Int, End)]
    let all: String
    let any: String
    let race: String
    let settled: String
    let join: String
  }

  private static let rows = [
    Row(
      testDescription: "none", ends: [], all: "[] @0",
      any: "✗there was no promise, so there is no value @0", race: "nothing",
      settled: "[] @0", join: "[] @0"),
    Row(
      testDescription: "one value", ends: [(10, .value(1))], all: "[1] @10", any: "1 @10",
      race: "1 @10", settled: "[1] @10", join: "[1] @10"),
    Row(
      testDescription: "values out of order",
      ends: [(30, .value(1)), (10, .value(2)), (20, .value(3))],
      all: "[1, 2, 3] @30", any: "2 @10", race: "2 @10", settled: "[1, 2, 3] @30",
      join: "[1, 2, 3] @30"),
    Row(
      testDescription: "a failure first",
      ends: [(30, .value(1)), (10, .error("a")), (20, .error("b"))],
      all: "✗a @10", any: "1 @30", race: "✗a @10", settled: "[1, ✗a, ✗b] @30",
      join: "✗a @30"),
    Row(
      testDescription: "failures alone",
      ends: [(30, .error("a")), (10, .error("b")), (20, .error("c"))],
      all: "✗b @10", any: "✗all 3 promises failed: a; b; c @30", race: "✗b @10",
      settled: "[✗a, ✗b, ✗c] @30", join: "✗a @30"),
    Row(
      testDescription: "settled by then",
      ends: [(0, .error("a")), (0, .value(2)), (20, .value(3))],
      all: "✗a @0", any: "2 @0", race: "✗a @0", settled: "[✗a, 2, 3] @20", join: "✗a @20"),
  ]

  @Test(arguments: rows)
  func `the result of gathering, and its time`(_ row: Row) {
    #expect(Self.outcome(row) { Promise.all($0).map { "\($0)" } } == row.all)
    #expect(
      Self.outcome(row) { Promise.any($0).mapError { $0 as any Error }.map { "\($0)" } }
        == row.any)
    #expect(Self.outcome(row) { Promise.race($0).map { "\($0)" } } == row.race)
    #expect(Self.outcome(row) { Promise.join($0).map { "\($0)" } } == row.join)
    #expect(
      Self.outcome(row) { promises in
        Promise.settled(promises).tryMap { results in
          "[\(results.map { Self.text($0.map { "\($0)" }) }.joined(separator: ", "))]"
        }
      } == row.settled)
  }

  /// The text of the result of `gather`, and the millisecond in which it settled.
  private static func outcome(
    _ row: Row, _ gather: ([Source]) -> Promise<String, any Error>
  ) -> String {
    let runtime = SimulatedRuntime()
    let notified = Locked("nothing")
    withPromiseDefaults(on: .inline, runtime: runtime) {
      let promises = row.ends.map { at, end in
        Source(whenUnused: .cancel) { resolver in
          let result: Result<Int, any Error> =
            switch end {
            case .value(let value): .success(value)
            case .error(let name): .failure(StepFailure(name))
            }
          if at == 0 { return resolver.resolve(result) }
          let timer = runtime.pool.schedule(after: .ms(at)) { resolver.resolve(result) }
          resolver.onCancel { timer.cancel() }
        }
      }
      gather(promises).whenComplete { result in
        let time = runtime.now.nanoseconds / 1_000_000
        notified.withLock { $0 = "\(text(result)) @\(time)" }
      }
    }
    runtime.runUntilIdle()
    #expect(throws: Never.self) { try runtime.finish() }
    return notified.withLock { $0 }
  }

  private static func text(_ result: Result<String, any Error>) -> String {
    switch result {
    case .success(let value): value
    case .failure(let error): "✗\(error)"
    }
  }

  private struct Code: Error { let number: Int }

  /// When a handler settles the sources, several of them notify the gathering before it releases the ones it no longer
  /// needs. The values are references, so the program would crash if an error were read as a value.
  @Test func `a failure and immediately afterwards the last value`() throws {
    let pairs = (0..<2).map { _ in Promise<Log, Code>.withResolvers(on: .inline) }
    let all = Promise.all(pairs.map(\.promise))
    let ofTypes: Promise<(Log, Log), Code> = Promise.all(pairs[0].promise, pairs[1].promise)
    Promise<Int, Never>.fulfilled(1, on: .inline).whenComplete { _ in
      pairs[0].resolver.reject(Code(number: 64))
      pairs[1].resolver.fulfill(Log())
    }
    #expect(all.rejectedError?.number == 64)
    #expect(ofTypes.rejectedError?.number == 64)
    #expect(try #require(all.failureTrail).links.count == 2)
    #expect(try #require(ofTypes.failureTrail).links.count == 2)
  }

  @Test func `promises of different types`() throws {
    let (name, age) = (Promise<String, any Error>.fulfilled("Ada"), Source.fulfilled(36))
    let (isAlive, resolver) = Promise<Bool, any Error>.withResolvers(on: .inline)
    let all = Promise.all(name, age, isAlive).map(on: .inline) { "\($0) \($1) \($2)" }
    #expect(all.current == nil)
    resolver.fulfill(false)
    #expect(all.fulfilled == "Ada 36 false")
    let failing = Promise.all(name, Source.rejected(StepFailure("no")), isAlive)
    #expect(throws: StepFailure("no")) { try failing.current?.get() }
  }

  @Test func `errors keep their types`() {
    enum Trouble: Error, Equatable { case first, second }
    let pair = [Trouble.first, .second].map { Promise<Int, Trouble>.rejected($0) }
    let all: Promise<[Int], Trouble> = .all(pair)
    let any: Promise<Int, AllFailed<Trouble>> = .any(pair)
    #expect(all.current == .failure(.first))
    #expect(any.current == .failure(AllFailed(errors: [.first, .second])))
    let sure: Promise<[Int], Never> = .all([.fulfilled(1), .fulfilled(2)])
    #expect(sure.current == .success([1, 2]))
  }

  @Test func `select runs only the clause of the first promise`() throws {
    let log = Log()
    let runtime = SimulatedRuntime()
    withPromiseDefaults(on: .inline, runtime: runtime) {
      let (number, _) = Source.withResolvers(whenUnused: .cancel)
      let (text, resolver) = Promise<String, any Error>.withResolvers()
      let selected = Promise<String, any Error>.select(
        .when(number) { value in
          log.append("number")
          return "\(value)"
        },
        .when(text) { $0 + "!" },
        .when(.after(.seconds(5), whenUnused: .cancel)) { "too late" })
      resolver.fulfill("page")
      #expect(selected.fulfilled == "page!")
      #expect(number.isCancelled)
    }
    #expect(log.entries == [])
    try runtime.finish()
  }

  @Test(arguments: [1, 11])
  func `a source that is never settled keeps the result pending and is released`(_ others: Int) {
    let (promise, resolver) = Source.withResolvers(on: .inline)
    let all = Promise.all([.never()] + Array(repeating: promise, count: others))
    let race = Promise.race([.never(), promise])
    resolver.fulfill(1)
    #expect(all.current == nil)
    #expect(race.fulfilled == 1)
    #expect(throws: WaitRefused.self) { try all.wait() }
  }

  @Test(.unlessThreadSanitized)
  func `gathering a hundred thousand takes linear time and releases all`() {
    weak var held: Log?
    do {
      let mine = Log()
      held = mine
      let pairs = (0..<100_000).map { _ in Source.withResolvers(on: .inline) }
      let gathered: Promise<[Int], any Error> = .all(pairs.map(\.promise))
      let all = gathered.map { [mine] values in
        mine.append("notified")
        return values.reduce(0, +)
      }
      for (index, pair) in pairs.enumerated().reversed() { pair.resolver.fulfill(index) }
      #expect(all.fulfilled == 4_999_950_000)
    }
    #expect(held == nil)
  }

  @Test(.unlessThreadSanitized)
  func `a hundred thousand nested gatherings need no stack when settled or cancelled`() {
    let log = Log()
    for isCancelled in [false, true] {
      let (promise, resolver) = Source.withResolvers(on: .inline, whenUnused: .cancel)
      resolver.onCancel { log.append("notified") }
      var last = promise
      for _ in 0..<100_000 { last = .race([last]) }
      if isCancelled { last.cancel() } else { resolver.fulfill(1) }
      #expect(last.current != nil)
      #expect(promise.isCancelled == isCancelled)
    }
    #expect(log.entries == ["notified"])
  }
}
