import OperationGraph
import Testing

/// The samples of the comments on graphs and their runs.
@Suite struct GraphCommentSamples {
  struct Project: Sendable {
    let sources: [String]
    let pictures: [String]
  }
  struct Draft: Sendable {
    var score: Int
    var isGood: Bool { score >= 3 }
  }

  let mine = Project(sources: ["a.swift", "b.swift"], pictures: ["c.svg"])
  let log = Log()

  func print(_ text: String) { log.append(text) }
  @Sendable func compile(_ sources: [String]) async throws -> [String] { sources.map { $0 + ".o" } }
  @Sendable func render(
    _ pictures: [String], completion: @escaping @Sendable (Result<[String], any Error>) -> Void
  ) {
    LiveRuntime.shared.pool.schedule { completion(.success(pictures.map { $0 + ".png" })) }
  }
  @Sendable func link(_ code: [String], _ art: [String]) async throws -> String {
    (code + art).joined(separator: "+")
  }
  @Sendable func publish() { log.append("published") }
  @Sendable func publish(_ text: String) { log.append("published \(text)") }
  @Sendable func load(_ page: String?) async throws -> String { "page \(page ?? "none")" }
  @Sendable func ask() async throws { log.append("asked") }
  @Sendable func show() { log.append("shown") }

  @Test func `a graph`() async throws {
    var build = OperationGraph()
    let project = build.input(Project.self)
    let code = build.add("code", project) { try await compile($0.sources) }
    let pictures = build.addWithCompletion("pictures", project, of: [String].self) {
      project, done in render(project.pictures, completion: done.closure)
    }
    let bundle = build.add("bundle", code, pictures) { try await link($0, $1) }
    build.add("publish", after: bundle) { publish() }
    let result = try await build.run(project.value(mine), width: 4)
    print(try result[bundle])
    #expect(log.entries == ["published", "a.swift.o+b.swift.o+c.svg.png"])
    try await hold(build, project, pictures)
    try await waitForAnother(build, project, bundle)
  }

  private func hold(
    _ build: OperationGraph, _ project: OperationGraph.Operation<Project>,
    _ pictures: OperationGraph.Operation<[String]>
  ) async throws {
    let run = try build.launch(project.value(mine), width: 4)
    run.suspend()
    run.cancel(pictures)
    run.resume()
    let result = try await run.value
    // The operation may have started before the run was suspended.
    switch result.outcome(of: pictures) {
    case .success, .cancelled: break
    default: Issue.record("\(result.outcome(of: pictures))")
    }
  }

  private func waitForAnother(
    _ build: OperationGraph, _ project: OperationGraph.Operation<Project>,
    _ bundle: OperationGraph.Operation<String>
  ) async throws {
    let building = try build.launch(project.value(mine))
    var release = OperationGraph()
    let built = release.wait(for: building.operation(bundle))
    release.add("publish", built) { publish($0) }
    try await release.run()
    #expect(log.entries.contains("published a.swift.o+b.swift.o+c.svg.png"))
  }

  @Test func `a graph in another`() async throws {
    var testGraph = OperationGraph()
    let project = testGraph.input(Int.self)
    let report = testGraph.add("report", project) { "\($0) tests" }
    var build = OperationGraph()
    let code = build.add("code") { 12 }
    let tests = build.embed("tests", testGraph, project.feeding(from: code))
    build.add("publish", tests[report], after: tests.end) { publish($0) }
    try await build.run()
    #expect(log.entries == ["published 12 tests"])
  }

  @Test func `a loop`() async throws {
    var round = OperationGraph()
    let text = round.input(Draft.self)
    let improved = round.add("improved", text) { Draft(score: $0.score + 1) }
    var build = OperationGraph()
    let draft = build.add("draft") { Draft(score: 0) }
    let better = build.loop("improve", from: draft, over: round, input: text, output: improved) {
      !$0.isGood
    }
    let result = try await build.run()
    #expect(try result[better].score == 3)
  }

  @Test func `a graph that grows`() async throws {
    var pages = OperationGraph()
    let index = pages.add("index") { ["a", "b"] }
    let publish = pages.add("publish", after: index) { self.publish() }
    let run = try pages.launch(isOpen: true, isSuspended: true)
    let page = try run.add { graph in
      let page = graph.add("page", index) { try await load($0.first) }
      graph.addDependency(of: publish, on: page)
      return page
    }
    run.resume()
    run.close()
    let result = try await run.value
    #expect(try result[page] == "page a" && log.entries == ["published"])
  }

  @Test func `resources`() async throws {
    var build = OperationGraph()
    let pool = ResourcePool(["database": 2, "screen": 1])
    build.add("query", with: .needs("database")) { try await ask() }
    build.add("show", with: .exclusive("screen")) { show() }
    try await build.run(resources: pool)
    #expect(log.entries.sorted() == ["asked", "shown"])
  }

  @Test func `a list of outcomes`() async throws {
    var build = OperationGraph()
    let pages = ["a", nil].map { name in build.add("page") { try name ?? missing() } }
    let all = build.join(pages.map(\.outcome), with: .trigger(.allDone))
    let run = try build.launch(onFailure: .finishIndependent)
    await #expect(throws: StepFailure.self) { try await run.value }
    #expect(run.outcome(of: all)?.value?.map(\.value) == ["a", nil])
  }

  @Sendable private func missing() throws -> String { throw StepFailure("no such page") }
}
