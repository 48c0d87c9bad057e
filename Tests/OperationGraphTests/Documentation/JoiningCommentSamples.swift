import OperationGraph
import Testing

/// The samples of the comments on semaphores. The comment on groups shows the sample of the article.
@Suite struct JoiningCommentSamples {
  let url = "a"
  let log = Log()

  @Sendable func load(_ url: String, _ done: @escaping @Sendable (String) -> Void) {
    LiveRuntime.shared.pool.schedule { done("page \(url)") }
  }
  @Sendable func fetch(_ url: String) async throws -> String { "page \(url)" }

  @Test func `a semaphore`() async throws {
    let downloads = AsyncSemaphore("downloads", permits: 4)
    let page = try await downloads.withPermit { try await fetch(url) }
    #expect(page == "page a" && downloads.permits == 4)

    let group = JoinGroup()
    let membership = group.membership()
    @Sendable func keep(_ page: String) {
      log.append(page)
      membership.leave()
    }
    downloads.whenPermitted { permit in
      load(url) { page in
        keep(page)
        permit.giveBack()
      }
    }
    try await group.wait()
    #expect(log.entries == ["page a"])
  }
}

/// The samples of the comments on operations and their queue.
@Suite struct OperationCommentSamples {
  let url = "a"
  let log = Log()

  @Sendable func download(
    _ url: String, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    LiveRuntime.shared.pool.schedule { [log] in
      log.append("page \(url)")
      completion(.success(()))
    }
  }
  @Sendable func download(_ url: String) async throws { log.append("page \(url)") }
  @Sendable func index() throws { log.append("index") }

  @Test func `operations`() async throws {
    let fetch = AsyncOperation.withCompletion("fetch") { done in
      download(url, completion: done.closure)
    }
    let parse = AsyncOperation("parse") { try index() }
    try parse.addDependency(fetch)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 5)
    try queue.addOperations([fetch, parse])
    try await queue.waitUntilFinished()
    #expect(log.entries == ["page a", "index"])
  }

  @Test func `a queue`() async throws {
    let queue = AsyncOperationQueue("pages", maxConcurrentOperationCount: 5)
    let page = queue.addOperation("page") { try await download(url) }
    try queue.addBarrier(AsyncOperation("index") { try index() })
    try await queue.waitUntilFinished()
    #expect(log.entries == ["page a", "index"] && page.isFinished)
  }
}
