import Promises
import Testing

/// Closures of one line and of several for every operator, without any type annotation. The test is that this file
/// compiles.
@Suite struct InferenceTests {
  private struct Bad: Error, Equatable {}
  private typealias Number = Promise<Int, any Error>
  private let number = Promise<Int, any Error>.fulfilled(3, on: .inline)
  private let typed = Promise<Int, Bad>.fulfilled(3, on: .inline)
  private let sure = Promise<Int, Never>.fulfilled(3, on: .inline)

  private func twice(_ number: Int) -> Number { .fulfilled(number * 2, on: .inline) }
  private func twiceTyped(_ number: Int) -> Promise<Int, Bad> {
    .fulfilled(number * 2, on: .inline)
  }
  private func check(_ number: Int) throws -> Int { number }

  @Test func `links, in one line`() {
    #expect(number.map { $0 + 1 }.current != nil)
    #expect(number.map { "\($0)" }.current != nil)
    #expect(number.map { try check($0) }.current != nil)
    #expect(typed.map { "\($0)" }.current != nil)
    #expect(sure.map { "\($0)" }.current != nil)
    #expect(number.tryMap { try check($0) }.current != nil)
    #expect(typed.tryMap { try check($0) }.current != nil)
    #expect(number.then { twice($0) }.current != nil)
    #expect(typed.then { twiceTyped($0) }.current != nil)
    #expect(number.flatMap { twice($0) }.current != nil)
    #expect(number.compactMap { $0 == 3 ? "three" : nil }.current != nil)
    #expect(typed.compactMap(orError: Bad()) { $0 == 3 ? "three" : nil }.current != nil)
    #expect(number.validate { $0 == 3 }.current != nil)
    #expect(typed.validate(orError: Bad()) { $0 == 3 }.current != nil)
    #expect(number.get { print($0) }.current != nil)
    #expect(number.tap { print($0) }.current != nil)
    #expect(number.inspect { print($0) }.current != nil)
    #expect(number.done { print($0) }.current != nil)
    #expect(typed.done { print($0) }.current != nil)
    #expect(number.whenComplete { print($0) }.current != nil)
    #expect(number.catch { print($0) }.current != nil)
    #expect(number.catch(Bad.self) { print($0) }.current != nil)
    #expect(number.catch(where: Self.isBad) { print($0) }.current != nil)
    #expect(number.recover { _ in 0 }.current != nil)
    #expect(number.recover { throw $0 }.current != nil)
    #expect(number.recover(from: Bad.self) { _ in 0 }.current != nil)
    #expect(number.recover(where: Self.isBad) { _ in 0 }.current != nil)
    #expect(number.flatMapError { _ in twice(1) }.current != nil)
    #expect(number.flatMapError { _ in twiceTyped(1) }.current != nil)
    #expect(number.mapError { _ in Bad() }.current != nil)
    #expect(number.ensure { print("finished") }.current != nil)
    #expect(number.finally { print("finished") }.current != nil)
    #expect(number.ensureThen { twice(1) }.current != nil)
  }

  @Test func `links, in several lines`() {
    let log = Log()
    let mapped = number.map {
      log.append("map")
      return "\($0 + 1)"
    }
    let checked = number.map {
      log.append("map")
      return try check($0)
    }
    let typedMap = typed.map {
      log.append("map")
      return "\($0 + 1)"
    }
    let tried = typed.tryMap {
      log.append("tryMap")
      return try check($0)
    }
    let chained = number.then {
      log.append("then")
      return twice($0)
    }
    let typedChain = typed.then {
      log.append("then")
      return twiceTyped($0)
    }
    let flat = number.flatMap {
      let more = $0 + 1
      return twice(more)
    }
    let compact = number.compactMap {
      log.append("compactMap")
      return $0 == 3 ? "three" : nil
    }
    let compactTyped = typed.compactMap(orError: Bad()) {
      log.append("compactMap")
      return $0 == 3 ? "three" : nil
    }
    let valid = number.validate {
      log.append("validate")
      return $0 == 3
    }
    let got = number.get {
      log.append("get")
      _ = try check($0)
    }
    let tapped = number.tap {
      log.append("tap")
      log.append("\($0)")
    }
    let done = number.done {
      log.append("done")
      _ = try check($0)
    }
    let completed = number.whenComplete {
      log.append("whenComplete")
      log.append("\($0)")
    }
    let caught = number.catch {
      log.append("catch")
      log.append("\($0)")
    }
    let caughtBad = number.catch(Bad.self) {
      log.append("catch")
      log.append("\($0)")
    }
    let recovered = number.recover {
      log.append("recover \($0)")
      return 0
    }
    let recoveredBad = number.recover(from: Bad.self) {
      log.append("recover \($0)")
      return 0
    }
    let rethrown = number.recover {
      log.append("recover")
      throw $0
    }
    let other = number.flatMapError {
      log.append("flatMapError \($0)")
      return twiceTyped(1)
    }
    let renamed = number.mapError {
      log.append("mapError \($0)")
      return Bad()
    }
    let ensured = number.ensure {
      log.append("ensure")
      log.append("again")
    }
    let ensuredThen = number.ensureThen {
      log.append("ensureThen")
      return twice(1)
    }
    #expect(mapped.fulfilled == "4" && checked.fulfilled == 3 && typedMap.fulfilled == "4")
    #expect(tried.fulfilled == 3 && chained.fulfilled == 6 && typedChain.fulfilled == 6)
    #expect(flat.fulfilled == 8 && compact.fulfilled == "three")
    #expect(compactTyped.fulfilled == "three" && valid.fulfilled == 3 && got.fulfilled == 3)
    #expect(tapped.fulfilled == 3 && done.fulfilled != nil && completed.fulfilled != nil)
    #expect(caught.fulfilled == 3 && caughtBad.fulfilled == 3 && recovered.fulfilled == 3)
    #expect(recoveredBad.fulfilled == 3 && rethrown.fulfilled == 3 && other.fulfilled == 3)
    #expect(renamed.fulfilled == 3 && ensured.fulfilled == 3 && ensuredThen.fulfilled == 3)
  }

  @Test func `gatherings, in one line`() {
    let numbers = [1, 2, 3]
    #expect(Promise.all(numbers.map { twice($0) }).map { $0.count }.fulfilled == 3)
    #expect(Promise.all(numbers.map { twice($0) }).map { "\($0)" }.fulfilled == "[2, 4, 6]")
    #expect(Promise.all(number, typedToAny).map { $0 + $1 }.fulfilled == 6)
    #expect(Promise.any(numbers.map { twice($0) }).map { "\($0)" }.fulfilled == "2")
    #expect(Promise.any(numbers.map { twice($0) }).recover { _ in 0 }.fulfilled == 2)
    #expect(Promise.race(numbers.map { twice($0) }).map { "\($0)" }.fulfilled == "2")
    #expect(Promise.settled(numbers.map { twice($0) }).map { $0.count }.fulfilled == 3)
    #expect(Promise.join(numbers.map { twice($0) }).map { $0.count }.fulfilled == 3)
    #expect(Promise.all(numbers.map { twice($0) }, width: 2, on: .inline).current != nil)
    #expect(Promise.map(numbers, width: 2, on: .inline) { twice($0) }.current != nil)
    #expect(
      Promise.filter(numbers, width: 2, on: .inline) { twice($0).map { $0 > 2 } }.current != nil)
    #expect(Promise.each(numbers, on: .inline) { twice($0) }.current != nil)
    #expect(
      Promise.reduce(numbers, 0, on: .inline) { sum, next in twice(next).map { sum + $0 } }.current
        != nil)
    #expect(Promise.retry(3, on: .inline) { _ in twice(1) }.current != nil)
    #expect(Promise.retry(3, on: .inline, while: Self.isBad) { twice($0) }.current != nil)
  }

  @Test func `gatherings, chained`() {
    let log = Log()
    let numbers = [1, 2, 3]
    let holders = numbers.map { Holder(promise: twice($0)) }
    let named = Promise.all(holders.map(\.promise)).map { $0.count }
    let tail = Promise.any(holders.map(\.promise)).map { $0 }.map { $0 + 1 }.map { "\($0)" }
    let then = Promise.any(holders.map(\.promise)).then { .fulfilled($0 + 1, on: .inline) }
    let shown = Promise.any(holders.map(\.promise)).get { log.append("\($0)") }.map { $0 + 1 }
    let done = Promise.any(holders.map(\.promise)).done { log.append("\($0)") }
    let race = Promise.race(holders.map(\.promise)).map {
      log.append("race")
      return $0 + 1
    }
    let select = Promise.select(
      .when(number) { "\($0)" },
      .when(twice(3)) {
        log.append("never")
        return "\($0)"
      })
    #expect(named.fulfilled == 3 && tail.fulfilled == "3" && then.fulfilled == 3)
    #expect(shown.fulfilled == 3 && done.fulfilled != nil && race.fulfilled == 3)
    #expect(select.fulfilled == "3" && log.entries == ["2", "2", "race"])
  }

  @Test func `gatherings, in several lines`() {
    let log = Log()
    let numbers = [1, 2, 3]
    let all = Promise.all(numbers.map { twice($0) }).map {
      log.append("all")
      return $0.count
    }
    let any = Promise.any(numbers.map { twice($0) }).map {
      log.append("any")
      return "\($0)"
    }
    let mapped = Promise.map(numbers, width: 2, on: .inline) {
      log.append("map")
      return twice($0)
    }
    let filtered = Promise.filter(numbers, width: 2, on: .inline) {
      log.append("filter")
      return twice($0).map { $0 > 2 }
    }
    let each = Promise.each(numbers, on: .inline) {
      log.append("each")
      return twice($0)
    }
    let reduced = Promise.reduce(numbers, 0, on: .inline) { sum, next in
      log.append("reduce")
      return twice(next).map { sum + $0 }
    }
    let retried = Promise.retry(3, on: .inline) {
      log.append("retry \($0)")
      return twice($0)
    }
    #expect(all.fulfilled == 3 && any.fulfilled == "2" && mapped.fulfilled == [2, 4, 6])
    #expect(filtered.fulfilled == [2, 3] && each.fulfilled != nil && reduced.fulfilled == 12)
    #expect(retried.fulfilled == 2)
  }

  @Test func `functions that start a chain`() async throws {
    let log = Log()
    let short = Promise.try(on: .inline) { 3 }
    let checked = Promise.try(on: .inline) { try check(3) }
    let long = Promise.try(on: .inline) {
      log.append("try")
      return try check(3)
    }
    let awaited = Promise { await sure.value }
    let thrown = Promise { try await number.value }
    let awaitedLong = Promise {
      log.append("async")
      return try await number.value
    }
    let lazy = Promise.lazy { try await number.value }
    let resolved = Number { $0.fulfill(3) }
    let resolvedLong = Number { resolver in
      log.append("resolver")
      resolver.fulfill(3)
    }
    #expect(short.fulfilled == 3 && checked.fulfilled == 3 && long.fulfilled == 3)
    #expect(resolved.fulfilled == 3 && resolvedLong.fulfilled == 3)
    #expect(await awaited.value == 3)
    for promise in [thrown, awaitedLong, lazy] { #expect(try await promise.value == 3) }
  }

  @Sendable private static func isBad(_ error: any Error) -> Bool { error is Bad }

  private struct Holder {
    let promise: Number
  }

  private var typedToAny: Number { typed.mapError { $0 } }
}
