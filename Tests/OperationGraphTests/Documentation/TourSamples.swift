import OperationGraph
import Testing

/// What the landing page shows.
@Suite struct TourSamples {
  struct Project: Sendable {
    let sources: [String]
    let pictures: [String]
  }

  let mine = Project(sources: ["a.swift", "b.swift"], pictures: ["c.svg"])
  let pool = ResourcePool(["database": 1, "screen": 1])
  let log = Log()

  func print(_ value: some Sendable) { log.append("\(value)") }
  @Sendable func compile(_ sources: [String]) async throws -> [String] { sources.map { $0 + ".o" } }
  @Sendable func render(_ pictures: [String]) throws -> [String] { pictures.map { $0 + ".png" } }
  @Sendable func link(_ code: [String], _ art: [String]) throws -> String {
    (code + art).joined(separator: "+")
  }
  @Sendable func publish() { log.append("published") }
  @Sendable func ask() async throws -> Int { 42 }
  @Sendable func show() { log.append("shown") }

  @Test func `the tour`() async throws {
    var build = OperationGraph()
    let project = build.input(Project.self)
    let code = build.add("code", project) { try await compile($0.sources) }
    let art = build.add("art", project) { try render($0.pictures) }
    let bundle = build.add("bundle", code, art) { code, art in try link(code, art) }
    build.add("publish", after: bundle) { publish() }

    let result = try await build.run(project.value(mine), width: 4)
    print(try result[bundle])
    #expect(log.entries == ["published", "a.swift.o+b.swift.o+c.svg.png"])

    let report = build.add("report", bundle.outcome, with: .trigger(.allDone)) { outcome in
      "\(outcome.value ?? "nothing") was built"
    }
    #expect(
      try await build.run(project.value(mine))[report] == "a.swift.o+b.swift.o+c.svg.png was built")

    let query = build.add("query", with: .needs("database"), .retry(3), .timeout(.seconds(5))) {
      try await ask()
    }
    build.add("urgent", with: .priority(.high), .exclusive("screen")) { show() }
    let first = try await build.run(project.value(mine), resources: pool)
    #expect(try first[query] == 42 && log.entries.last != nil)
    try await hold(build, project, query, report)
  }

  @Test(.timeLimit(.minutes(1))) func `the first failure cancels the others`() async {
    struct NotFound: Error {}
    @Sendable func load(_ url: String) async throws {
      log.append(url)
      guard url != "none" else { throw NotFound() }
      try await Task.sleep(for: .seconds(3600))
    }
    var downloads = OperationGraph()
    for url in ["a", "b", "none", "c", "d"] { downloads.add(url) { try await load(url) } }

    do {
      try await downloads.run(width: 3, onFailure: .cancelAll)
      Issue.record("the run has not failed")
    } catch { #expect(error is NotFound) }
    #expect(Set(log.entries) == ["a", "b", "none"])
  }

  private func hold(
    _ build: OperationGraph, _ project: OperationGraph.Operation<Project>,
    _ query: OperationGraph.Operation<Int>, _ report: OperationGraph.Operation<String>
  ) async throws {
    let run = try build.launch(project.value(mine), width: 2, resources: pool, isRecording: true)
    run.suspend()
    run.cancel(query)
    run.resume()
    let all = try await run.value
    print(run.report?.makespan ?? .zero)
    #expect(try all[report].hasSuffix("was built"))
    #expect(try #require(run.report).makespan > .zero)
  }
}
