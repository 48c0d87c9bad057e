import AsyncSimulation
import Promises
import Testing

/// The code in the tables for users of other libraries: it compiles, and it is run.
@Suite struct MigrationSamples {
  struct NotFound: Error {}

  /// A thenable of another library.
  struct Foreign: Thenable {
    func settle(_ resolver: Promise<Int, any Error>.Resolver) throws { resolver.fulfill(3) }
  }

  let runtime = SimulatedRuntime()
  let numbers = [1, 2, 3]
  let error = NotFound()
  let promise = Promise<Int, any Error>.fulfilled(3, on: .inline)
  let sure = Promise<Int, Never>.fulfilled(3, on: .inline)
  let optional = Promise<Int?, any Error>.fulfilled(3, on: .inline)
  let thenable = Foreign()
  let cancellation = Cancellation()

  var promises: [Promise<Int, any Error>] { numbers.map { load($0) } }
  var lazily: [Promise<Int, any Error>] {
    numbers.map { number in .lazy(on: .inline) { $0.fulfill(number) } }
  }

  func load(_ number: Int) -> Promise<Int, any Error> { .fulfilled(number, on: .inline) }
  func check(_ number: Int) throws -> Int { number }
  func print(_ value: some Sendable) {}
  @Sendable func isBusy(_ error: any Error) -> Bool { false }
  func fetch(_ done: (Int?, (any Error)?) -> Void) { done(3, nil) }
  func node(_ done: ((any Error)?, Int?) -> Void) { done(nil, 3) }

  @Test func `beginnings`() async throws {
    // Promises without a placement of their own run on the virtual main lane.
    let made = withPromiseDefaults(runtime: runtime) { () -> [Promise<Int, any Error>] in
      var made: [Promise<Int, any Error>] = []
      made.append(Promise<Int, any Error> { resolver in resolver.fulfill(3) })
      made.append(Promise<Int, any Error>.fulfilled(3))
      made.append(Promise<Int, any Error>.lazy { resolver in resolver.fulfill(3) })
      made.append(Promise(thenable))
      made.append(Promise.fromValueOrError { done in fetch(done) })
      made.append(Promise.fromValueOrError { done in node { done($1, $0) } })
      made.append(Promise<Void, Never>.after(.seconds(1)).map { 3 }.eraseToAnyError())
      made.append(Promise.try { try check(1) }.map { $0 + 2 })
      made.append(sure.eraseToAnyError())
      made.append(sure.setFailureType(to: (any Error).self))
      made.append(withPromiseDefaults(on: .pool) { load(1) }.map { $0 + 2 })
      made.append(Promise.retry(3) { load($0) }.map { $0 + 2 })
      made.append(Promise.retry(3, while: isBusy) { load($0) }.map { $0 + 2 })
      made.append(
        Promise.retry(4, backoff: .constant(.seconds(1))) { load($0) }.map { $0 + 2 })
      made.append(
        Promise.retry(3, backoff: .exponential(.milliseconds(100))) { load($0) }.map { $0 + 2 })
      made.append(
        Promise<Int, any Error>.rejected(error).recover { _ in 3 }.eraseToAnyError())
      return made
    }
    for one in made { #expect(try one.wait { runtime.runUntilIdle() } == 3) }
    let later = Promise<Void, Never>.after(.seconds(1), runtime: runtime)
    #expect(later.current == nil)
    let asynchronous = Promise { try check(1) }
    #expect(try await asynchronous.value == 1)
    #expect(try await promise.value == 3)
    #expect(try promise.wait() == 3)
  }

  @Test func `resolvers`() {
    let settled = (0..<5).map { number -> Result<Int, any Error>? in
      let (made, resolver) = Promise<Int, any Error>.withResolvers()
      resolver.onCancel { print("stop") }
      if resolver.isCancelled { return nil }
      switch number {
      case 0: resolver.fulfill(3)
      case 1: resolver.reject(error)
      case 2: resolver.resolve(.success(3))
      case 3: resolver.tryResolve(.success(3))
      default: resolver.resolve(with: promise)
      }
      return made.current
    }
    #expect(settled.compactMap { try? $0?.get() } == [3, 3, 3, 3])
    let pair = Promise<Int, any Error>.withResolvers(whenUnused: .cancel)
    cancelled(pair.promise)
    #expect(pair.resolver.isCancelled)
  }

  func cancelled(_ promise: Promise<Int, any Error>) {
    promise.cancel()
    #expect(promise.isCancelled)
  }

  @Test func `links`() throws {
    let numbers: [Promise<Int, any Error>] = [
      promise.then { load($0) }, promise.flatMap { load($0) }, load(1).then { load($0) },
      promise.map { $0 + 1 }, promise.map { try check($0) }, promise.tryMap { try check($0) },
      promise.compactMap { $0 > 0 ? $0 : nil }, promise.map { _ in 3 },
      promise.get { print($0) }, promise.tap { print($0) }, promise.validate { $0 > 0 },
      promise.flatMapError { _ in load(0) }, promise.recover { throw $0 },
      promise.recover(from: NotFound.self) { _ in 0 }, promise.catch { print($0) },
      promise.catch(NotFound.self) { print($0) }, promise.catch(.all) { print($0) },
      promise.ensure { print("finished") }, promise.ensureThen { load(0) },
      promise.finally { print("finished") }, promise.timeout(.seconds(1)),
      promise.then { value in load(value).map { _ in value } },
      promise.map(on: .inline) { $0 + 1 }, optional.unwrap(orError: NotFound()),
      optional.unwrap(orReplace: 0), promise.until(cancellation),
    ]
    #expect(numbers.allSatisfy { $0.fulfilled ?? 0 > 0 })
    #expect(promise.recover { _ in 0 }.fulfilled == 3)
    #expect(promise.mapError { _ in NotFound() }.fulfilled == 3)
    #expect(promise.done { print($0) }.fulfilled != nil)
    #expect(promise.map { _ in }.fulfilled != nil)
    #expect(promise.whenComplete { print($0) }.fulfilled != nil)
    #expect(promise.map { [$0].map { $0 + 1 } }.fulfilled == [4])
    #expect(promise.then { Promise.map([$0], width: 8) { load($0) } }.fulfilled == [3])
    let failed: Promise<Int, any Error> = promise.map { _ in throw error }
    #expect(failed.current != nil && !promise.isCancelled)
    #expect(throws: NotFound.self) { try failed.current?.get() }
    #expect((promise.current == nil) == false)
    #expect(promise.current != nil)
  }

  @Test func `links elsewhere`() throws {
    try withPromiseDefaults(runtime: runtime) {
      let promise = Promise<Int, any Error>.fulfilled(3)
      let moved: [Promise<Int, any Error>] = [
        promise.map(on: .pool) { $0 + 1 }, promise.map(on: .main) { $0 + 1 },
        promise.on(.pool), promise.on(.main), promise.delay(.seconds(1)),
        promise.on(.scheduler(runtime.serial("loop"))),
      ]
      for promise in moved { _ = try promise.wait { runtime.runUntilIdle() } }
      #expect(moved.allSatisfy { $0.fulfilled ?? 0 >= 3 })
    }
  }

  @Test func `several`() {
    withPromiseDefaults(on: .inline) {
      let lists: [Promise<[Int], any Error>] = [
        Promise.all(promises), Promise.join(promises), Promise.all(lazily, width: 4),
        Promise.map(numbers, width: 4) { load($0) }, Promise.map(numbers, width: 1) { load($0) },
        Promise.filter(numbers, width: 4) { load($0).map { $0 > 0 } },
      ]
      #expect(lists.allSatisfy { $0.fulfilled == [1, 2, 3] })
      #expect(Promise.all([sure, sure]).fulfilled == [3, 3])
      #expect(Promise.all(promise, load(2)).map { $0 + $1 }.fulfilled == 5)
      #expect(Promise.all(promises).map { $0.reduce(0, +) }.fulfilled == 6)
      #expect(Promise.settled(promises).fulfilled?.count == 3)
      #expect(Promise.race(promises).fulfilled == 1)
      #expect(Promise.any(promises).fulfilled == 1)
      #expect(Promise.each(numbers) { load($0) }.fulfilled != nil)
      let sum = Promise.reduce(numbers, 0) { sum, next in load(next).map { sum + $0 } }
      #expect(sum.fulfilled == 6)
    }
  }

  @Test func `the shape of Bolts`() throws {
    for number in 0..<4 {
      let source = Bolts.TaskCompletionSource<Int>()
      switch number {
      case 0: source.set(result: 3)
      case 1: #expect(source.trySet(result: 3))
      case 2: source.set(error: error)
      default: #expect(source.tryCancel())
      }
      let task = source.task
      #expect(task.completed && task.faulted == (number == 2) && task.cancelled == (number == 3))
      #expect(task.result == (number < 2 ? 3 : nil))
      #expect((task.error != nil) == (number == 2))
      try task.waitUntilCompleted()
    }
    let task = Bolts.Task(3)
    let tasks = [task, task]
    let continued = [
      task.continueOnSuccessWith { $0 + 1 }, task.continueOnSuccessWithTask { Bolts.Task($0) },
      task.continueOnErrorWith { _ in 0 }, task.continueOnErrorWithTask { _ in Bolts.Task(0) },
      Bolts.Task.execute { 3 }, Bolts.Task.executeWithTask { task }, task.until(cancellation),
    ]
    #expect(continued.allSatisfy { $0.result ?? 0 >= 3 })
    #expect(task.continueWith { $0.result }.result == 3)
    #expect(Bolts.Task.whenAll(tasks).completed && Bolts.Task.whenAny(tasks).completed)
    #expect(Bolts.Task.whenAllResult(tasks).result == [3, 3])
    #expect(!Bolts.Task.withDelay(.seconds(1), runtime: runtime).completed)
    withPromiseDefaults(runtime: runtime) {
      #expect(!Bolts.Task.withDelay(.seconds(1)).completed)
    }
    let executors = [Bolts.Executor.mainThread, Bolts.Executor.scheduler(runtime.serial("own"))]
    for executor in executors {
      let task = Bolts.Task(executor, runtime: runtime) { 3 }
      runtime.runUntilIdle()
      #expect(task.result == 3)
    }
  }
}
