import AsyncSimulation
import Foundation
import Promises
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code in the comments on the declarations. First comes the part of another library's future that the code needs.

/// Calls back immediately.
final class EventLoopFuture<Value>: @unchecked Sendable {
  // Safe to share: it never changes, and its values here are Sendable.
  private let result: Result<Value, any Error>

  init(_ result: Result<Value, any Error>) { self.result = result }

  func whenComplete(_ callback: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    callback(result)
  }
}

struct Future<Value: Sendable>: Thenable {
  let future: EventLoopFuture<Value>

  func settle(_ resolver: Promise<Value, any Error>.Resolver) throws {
    future.whenComplete { resolver.resolve($0) }
  }
}

@Suite struct CommentSamples {
  struct Page: Sendable { let title: String }
  struct Busy: Error {}

  let url = "a"
  let urls = ["a", "bc"]
  let log = Log()
  func print(_ value: some Sendable) { log.append("\(value)") }

  @Sendable func download(_ url: String, _ done: (Result<String, any Error>) -> Void) {
    done(.success("page " + url))
  }
  @Sendable func download(_ url: String) async throws -> String { "page " + url }
  func request(_ url: String) -> Promise<String, any Error> { .fulfilled(url, on: .inline) }
  @Sendable func isBusy(_ error: any Error) -> Bool { error is Busy }

  @Test func `a future of another library`() {
    let promise = Promise(Future(future: EventLoopFuture(.success(3))))
    #expect(promise.fulfilled == 3)
  }

  @Test func `a promise`() {
    withPromiseDefaults(on: .inline) {
      let page = Promise<String, any Error> { resolver in
        download(url) { resolver.resolve($0) }
      }
      page.map { $0.count }
        .recover { _ in 0 }
        .whenComplete { print($0) }
    }
    #expect(log.entries == ["success(6)"])
  }

  @Test func `promises of different types`() {
    let name = Promise<String, any Error>.fulfilled("Ada", on: .inline)
    let age = Promise<Int, any Error>.fulfilled(36, on: .inline)
    func both() -> Promise<String, any Error> {
      Promise.all(name, age).map { name, age in "\(name), \(age)" }
    }
    #expect(both().fulfilled == "Ada, 36")
  }

  @Test func `a sequence, a few at a time`() async throws {
    let pages = urls.map { url in Promise.lazy { try await download(url) } }
    let all = Promise.all(pages, width: 4)
    #expect(try await all.value == ["page a", "page bc"])
  }

  @Test func `the first result`() async throws {
    let page = Promise<Page, any Error>.fulfilled(Page(title: "News"), on: .inline)
    func first() -> Promise<String, any Error> {
      Promise<String, any Error>.select(
        .when(page) { $0.title },
        .when(.after(.seconds(5))) { "too late" })
    }
    #expect(try await first().value == "News")
  }

  @Test func `repeated attempts`() {
    func again() -> Promise<String, any Error> {
      Promise.retry(5, backoff: .exponential(.milliseconds(100)), while: isBusy) { _ in
        request(url)
      }
    }
    #expect(again().fulfilled == "a")
  }

  @Test func `turning a clock`() throws {
    let runtime = SimulatedRuntime()
    let promise = Promise<Void, any Error>.after(.seconds(3), runtime: runtime).map { 3 }
    let pages = try promise.wait { runtime.runUntilIdle() }
    #expect(pages == 3)
  }

  @Test func `the shape of Bolts`() {
    let source = Bolts.TaskCompletionSource<Int>()
    source.task.continueOnSuccessWith { $0 * 2 }.continueWith { task in print(task.result ?? 0) }
    source.set(result: 21)
    #expect(log.entries == ["42"])
  }

  @Test func `the path of a failure`() {
    let page = Promise<String, any Error>.rejected(Busy(), on: .inline)
    if let trail = page.failureTrail { print("failed: \(trail)") }
    page.ignoringFailure()
    #expect(log.entries.count == 1 && log.entries[0].hasSuffix("(where it began)"))
  }

  @Test func `a chain with a name`() throws {
    func download(_ url: String) -> Promise<String, any Error> { request(url) }
    @Sendable func store(_ page: String) -> Promise<Int, any Error> {
      .fulfilled(page.count, on: .inline)
    }
    let stored = download(url).then { store($0) }.named("upload")
    #expect(stored.fulfilled == 1)
  }

  @Test func `a failure that need not be handled`() {
    func warmUp(_ cache: String) -> Promise<Int, any Error> { .rejected(Busy(), on: .inline) }
    let cache = "cache"
    warmUp(cache).ignoringFailure()
  }

  @Test func `callbacks`() {
    func download(_ url: String, completion: @escaping (Result<String, any Error>) -> Void) {
      completion(.success(url))
    }
    func download(_ url: String, completion: @escaping (String?, (any Error)?) -> Void) {
      completion(url, nil)
    }
    func store(_ page: String, completion: @escaping ((any Error)?) -> Void) { completion(nil) }
    func askForPermission(completion: @escaping (Bool) -> Void) { completion(true) }
    func fadeOut(completion: @escaping () -> Void) { completion() }
    let page = "page"
    func result() -> Promise<String, any Error> {
      Promise.fromResult { done in download(url, completion: done) }
    }
    func error() -> Promise<Void, any Error> {
      Promise.fromError { done in store(page, completion: done) }
    }
    func value() -> Promise<Bool, Never> {
      Promise.fromValue { done in askForPermission(completion: done) }
    }
    func completion() -> Promise<Void, Never> {
      Promise.fromCompletion { done in fadeOut(completion: done) }
    }
    func valueOrError() -> Promise<String, any Error> {
      Promise.fromValueOrError { done in download(url, completion: done) }
    }
    #expect(result().fulfilled == "a" && valueOrError().fulfilled == "a")
    #expect(error().fulfilled != nil && value().fulfilled == true)
    #expect(completion().fulfilled != nil)
  }

  @Test func `the callback of a URL session`() async {
    let url = URL(filePath: "/nowhere/at/all")
    func page() -> Promise<(Data, URLResponse), any Error> {
      Promise { resolver in
        URLSession.shared.dataTask(with: url) { data, response, error in
          if let data, let response {
            resolver.fulfill((data, response))
          } else {
            resolver.reject(error ?? URLError(.unknown))
          }
        }.resume()
      }
    }
    let result = await page().result
    #expect(throws: URLError.self) { try result.get() }
  }
}
