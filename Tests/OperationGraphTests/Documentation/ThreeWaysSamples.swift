import OperationGraph
import Testing

/// Groups, semaphores and operations as the article shows them.
@Suite struct ThreeWaysSamples {
  let url = "a"
  let urls = ["a", "b", "c"]
  let log = Log()

  @Sendable func load(_ url: String, _ done: @escaping @Sendable (String) -> Void) {
    LiveRuntime.shared.pool.schedule { done("page \(url)") }
  }
  @Sendable func fetch(_ url: String) async throws -> String { "page \(url)" }
  @Sendable func keep(_ page: String) { log.append(page) }
  @Sendable func index() async throws { log.append("index") }
  @Sendable func show() {}

  @Test func `a group`() async throws {
    let group = JoinGroup("pages")
    for url in urls {
      let membership = group.membership()
      load(url) { page in
        keep(page)
        membership.leave()
      }
    }
    group.notify(on: .main) { show() }
    try await group.wait()
    #expect(log.entries.sorted() == ["page a", "page b", "page c"])
  }

  @Test func `a semaphore`() async throws {
    let places = AsyncSemaphore("downloads", permits: 2)
    let page = try await places.withPermit { try await fetch(url) }
    #expect(page == "page a" && places.permits == 2)
  }

  @Test func `a width`() async throws {
    var downloads = OperationGraph()
    let pages = urls.map { url in downloads.add(url) { try await fetch(url) } }
    let result = try await downloads.run(width: 2)
    let texts = try pages.map { try result[$0] }
    #expect(texts == ["page a", "page b", "page c"])
  }

  @Test func `operations`() async throws {
    let fetching = AsyncOperation.withCompletion("fetch") { done in
      load(url) { page in
        keep(page)
        done()
      }
    }
    let parsing = AsyncOperation("parse") { try await index() }
    try parsing.addDependency(fetching)
    let queue = AsyncOperationQueue(maxConcurrentOperationCount: 5)
    try queue.addOperations([fetching, parsing])
    try await queue.waitUntilFinished()
    #expect(log.entries == ["page a", "index"])
  }

  @Test func `a graph`() async throws {
    var graph = OperationGraph()
    let fetched = graph.addWithCompletion("fetch", of: String.self) { done in
      load(url) { done($0) }
    }
    let count = graph.add("parse", fetched) { page in page.count }
    let length = try await graph.run()[count]
    #expect(length == 6)
  }
}
