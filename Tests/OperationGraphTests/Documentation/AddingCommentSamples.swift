import OperationGraph
import PatternTesting
import Testing

/// The samples in comments on adding operations.
@Suite struct AddingCommentSamples {
  let log = Log()
  let page = "a page"
  let urls = ["a", "b"]
  @Sendable func upload(_ page: String, completion: @escaping @Sendable () -> Void) {
    log.append("uploaded \(page)")
    completion()
  }
  @Sendable func measure(_ completion: @escaping @Sendable (Int) -> Void) { completion(6) }
  @Sendable func load(_ url: String) async throws { log.append("loaded \(url)") }
  @Sendable func index() { log.append("index") }
  @Sendable func publish() { log.append("published") }

  @Test func `operations that end with a completion`() async throws {
    var graph = OperationGraph()
    graph.addWithCompletion("upload") { done in upload(page, completion: done.closure) }
    let size = graph.addWithCompletion("size", of: Int.self) { done in measure { done($0) } }
    let result = try await graph.run()
    #expect(try result[size] == 6)
    #expect(log.entries == ["uploaded a page"])
  }

  @Test func `dependencies that are known at run time`() async throws {
    var site = OperationGraph()
    let pages = urls.map { url in site.add { try await load(url) } }
    site.add("index", after: pages) { index() }
    _ = try await site.run()
    #expect(log.entries.count == 3 && log.entries.last == "index")
  }

  @Test func `dependencies of different types that are known at run time`() async throws {
    var site = OperationGraph()
    let index = site.add("index") { 1 }
    let images = site.add("images") { "2" }
    site.add("publish", after: [index.predecessor, images.predecessor]) { publish() }
    _ = try await site.run()
    #expect(log.entries == ["published"])
  }
}
