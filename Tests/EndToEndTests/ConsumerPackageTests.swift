import Foundation
import Testing

/// A separate package depends on this one by version or by path, and imports the modules it needs.
@Suite(.serialized) struct ConsumerPackageTests {
  @Test(.timeLimit(.minutes(10)))
  func `a package imports one module or all of them`() async throws {
    let place = try TemporaryFolder()
    let release = try await Self.release(in: place)
    let consumer = try place.folder("Consumer")
    try place.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let modules = \(Self.libraries)
      let package = Package(
        name: "Consumer",
        platforms: [.macOS(.v15)],
        dependencies: [.package(url: "file://\(release)", from: "1.0.0", traits: ["Drawing"])],
        targets: [
          .executableTarget(
            name: "Drawn",
            dependencies: [.product(name: "AsyncRender", package: "Release")]),
          .executableTarget(
            name: "RunningLoop",
            dependencies: [.product(name: "AsyncPatterns", package: "Release")]),
          .executableTarget(
            name: "AsynchronousMain",
            dependencies: [.product(name: "AsyncPatterns", package: "Release")]),
          .executableTarget(
            name: "Everything",
            dependencies: modules.map { .product(name: $0, package: "Release") }),
        ])
      """, to: "Consumer/Package.swift")
    try place.write(Self.everything, to: "Consumer/Sources/Everything/main.swift")

    try place.write(
      """
      import AsyncPatterns
      import CoreFoundation
      import Foundation

      let hook = LiveRuntime.shared.atEndOfTurn(order: 1) {
        print("the turn ends")
        exit(0)
      }
      LiveRuntime.shared.wakeMain()
      CFRunLoopRun()
      """, to: "Consumer/Sources/RunningLoop/main.swift")
    try place.write(
      """
      import AsyncPatterns

      @main struct AsynchronousMain {
        static func main() async {
          let (turns, turn) = AsyncStream.makeStream(of: Void.self)
          let hook = LiveRuntime.shared.atEndOfTurn(order: 1) { turn.yield() }
          var iterator = turns.makeAsyncIterator()
          for _ in 1...2 {
            LiveRuntime.shared.wakeMain()
            await iterator.next()
          }
          hook.cancel()
          print("two turns")
        }
      }
      """, to: "Consumer/Sources/AsynchronousMain/Main.swift")

    try place.write(
      """
      import AsyncRender

      let canvas = try Canvas(size: Size(width: 60, height: 20), scale: 2)
      canvas.draw(TextLayout("drawn", font: try Font("Sans 10")), at: .zero, color: .black)
      let picture = try canvas.finish()
      print(picture.width, picture.height, try Picture(png: picture.pngData(), scale: 2).size.width)
      """, to: "Consumer/Sources/Drawn/main.swift")

    try await Shell.run("swift", "build", "--disable-index-store", in: consumer)
    #expect(
      try await Shell.run("swift", "run", "--skip-build", "Everything", in: consumer) == "all")
    #expect(try await Shell.run(".build/debug/Drawn", in: consumer) == "120 40 60.0")
    #expect(try await Shell.run(".build/debug/RunningLoop", in: consumer) == "the turn ends")
    let said = try await Shell.run("sh", "-c", ".build/debug/AsynchronousMain 2>&1", in: consumer)
    #expect(said.split(separator: "\n").count == 2, "one note, and the end: \(said)")
    #expect(said.hasPrefix("note: the main thread does not run its run loop"))
    #expect(said.hasSuffix("two turns"))
  }

  /// The packages share what they compile.
  @Test(.timeLimit(.minutes(10)))
  func `packages without traits import one module, each alone, or one by another name`()
    async throws
  {
    let place = try TemporaryFolder()
    _ = try await Self.sources(in: place, named: "AsynchronousPatterns")
    try await importOneModule(in: place)
    try await importEachAlone(in: place)
    try await importByAnotherName(in: place)
  }

  /// Only swift-collections is resolved, no system library is needed, and no name of the kernel is visible.
  private func importEachAlone(in place: TemporaryFolder) async throws {
    try place.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let modules = \(Self.alone.map(\.module))
      let package = Package(
        name: "Lean",
        platforms: [.macOS(.v15)],
        dependencies: [.package(path: "../AsynchronousPatterns", traits: [])],
        targets: modules.map {
          .executableTarget(
            name: "Only\\($0)",
            dependencies: [.product(name: $0, package: "AsynchronousPatterns")])
        })
      """, to: "Lean/Package.swift")
    for (module, use) in Self.alone {
      try place.write(
        """
        import \(module)

        \(use)
        """, to: "Lean/Sources/Only\(module)/main.swift")
    }
    let lean = place.path + "/Lean"
    let built = place.path + "/build/debug"
    let said = try await Self.build("Lean", in: place)
    #expect(!said.contains("warning:"), "\(said)")
    try Self.expectOnlyCollections(in: lean)
    for (module, _) in Self.alone {
      let names = ["Step", "Value", "Scope", "LaneContext"]
      try place.write(
        "import \(module)\n" + names.map { "_ = \($0).self\n" }.joined(), to: "Lean/Names.swift")
      let said = try await Shell.run(
        "sh", "-c",
        "swiftc -typecheck -I \(built)/Modules Names.swift 2>&1; true", in: lean)
      for name in names { #expect(said.contains("cannot find '\(name)' in scope"), "\(said)") }
    }
    #expect(try await Shell.run("build/debug/OnlyPromises", in: place.path) == "42")
    #expect(try await Shell.run("build/debug/OnlySerialQueue", in: place.path) == "7")
  }

  /// The package that the README shows. Only swift-collections is resolved, and no system library is needed.
  private func importOneModule(in place: TemporaryFolder) async throws {
    let readme = try Article("README.md").blocks(in: "swift")
    try #require(readme.count == 2)
    try place.write(readme[0], to: "Pages/Package.swift")
    try place.write(readme[1], to: "Pages/Sources/Pages/main.swift")
    try await Self.build("Pages", in: place)
    #expect(
      try await Shell.run("build/debug/Pages", in: place.path) == "page 1\npage 2\npage 3\n3 pages")
    try Self.expectOnlyCollections(in: place.path + "/Pages")
  }

  /// A program with another module named Promises imports this one by another name.
  private func importByAnotherName(in place: TemporaryFolder) async throws {
    let page = try Article("Modules/Libraries/Promises/Promises.docc/Promises.md")
    let product = try #require(page.blocks(in: "text").first { $0.contains("moduleAliases") })
    try place.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "Aliased",
        platforms: [.macOS(.v15)],
        dependencies: [.package(path: "../AsynchronousPatterns", traits: [])],
        targets: [
          .target(name: "Promises"),
          .executableTarget(
            name: "Aliased",
            dependencies: [
              "Promises",
              \(product)
            ]),
        ])
      """, to: "Aliased/Package.swift")
    try place.write("public let vows = 2\n", to: "Aliased/Sources/Promises/Vows.swift")
    try place.write(
      """
      import AsyncPromises
      import Promises

      print(await Promise<Int, Never>.fulfilled(40).value + vows)
      """, to: "Aliased/Sources/Aliased/main.swift")
    try await Self.build("Aliased", in: place)
    #expect(try await Shell.run("build/debug/Aliased", in: place.path) == "42")
  }

  @Test(.timeLimit(.minutes(10)))
  func `a program that contains Swift's libraries and the agent is recorded and explored`()
    async throws
  {
    let article = "Modules/Trace/TimingTrace/TimingTrace.docc/RecordingPrograms.md"
    let product = try #require(
      try Article(article).blocks(in: "text").first { $0.contains("LinkedAgent") })
    let place = try TemporaryFolder()
    _ = try await Self.sources(in: place, named: "AsynchronousPatterns")
    let package = try place.folder("Static")
    try place.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "Static",
        platforms: [.macOS(.v15)],
        dependencies: [.package(path: "../AsynchronousPatterns", traits: [])],
        targets: [.executableTarget(name: "Static", dependencies: [\(product)])])
      """, to: "Static/Package.swift")
    try place.write(
      """
      actor Store {
        var pages: [Int] = []
        func add(_ page: Int) { pages.append(page) }
        func first() -> Int { pages[0] }
      }
      struct Failure: Error {}
      func fail() async throws { throw Failure() }

      let store = Store()
      async let failing: Void = fail()
      let adding = Task(name: "adding") { await store.add(1) }
      if CommandLine.arguments.count == 1 { await adding.value }
      let asking = Task(name: "asking") { await store.first() }
      print(await asking.value, (try? await failing) == nil)
      """, to: "Static/Sources/Static/main.swift")
    try await Shell.run(
      "swift", "build", "--disable-index-store", "--static-swift-stdlib", in: package)
    let program = package + "/.build/debug/Static"
    #expect(try await Shell.run(program, in: package) == "1 true")
    let home = try PlaygroundHome()
    let recorded = try await home.run(["record", "--save", "run.jsonl", "--", program])
    #expect(recorded.output.hasPrefix("1 true\n") && recorded.code == 0, "\(recorded)")
    let shown = try await home.run(["trace", "show", "run.jsonl"])
    for text in ["adding", "asking", "Store", "main actor", "failed"] {
      #expect(shown.output.contains(text), "\(shown)")
    }
    let explored = try await home.run(["explore", "--runs", "50", "--", program, "racing"])
    #expect(explored.output.contains("Index out of range"), "\(explored)")
  }

  /// Builds a package, in a folder that it shares with the others.
  ///
  /// - Returns: what the build printed.
  @discardableResult
  private static func build(_ package: String, in place: TemporaryFolder) async throws -> String {
    try await Shell.run(
      "sh", "-c",
      "PKG_CONFIG_LIBDIR=/nonexistent swift build --disable-index-store --scratch-path ../build 2>&1",
      in: place.path + "/" + package)
  }

  /// Expects that a package and its dependencies need only swift-collections.
  private static func expectOnlyCollections(in package: String) throws {
    let resolved = try String(contentsOfFile: package + "/Package.resolved", encoding: .utf8)
    let identities = resolved.split(separator: "\n").filter { $0.contains("\"identity\"") }
    #expect(identities.count == 1 && identities[0].contains("swift-collections"), "\(identities)")
  }

  /// Each library that needs no trait, and code that uses it.
  private static let alone: [(module: String, use: String)] = [
    ("Promises", "print(await Promise<Int, Never>.fulfilled(42).value)"),
    ("SerialQueue", "print(try await SerialQueue(\"numbers\").enqueue { 7 }.value)"),
    (
      "OperationGraph",
      """
      var graph = OperationGraph()
      graph.add("a") {}
      _ = try await graph.run()
      """
    ),
    ("RunLoopTransaction", "print(TransactionQueue(\"commits\").count)"),
    ("SerialAnimation", "print(Spring.self, Point(x: 1, y: 2))"),
  ]

  private static let libraries = [
    "AsyncRuntime", "AsyncPatterns", "AsyncGeometry", "SerialQueue", "SerialAnimation", "Promises",
    "OperationGraph", "AsyncRender", "RunLoopTransaction", "TimingTrace", "AsyncSimulation",
    "AsyncPatternTesting", "SerialQueuePatterns", "PromisesPatterns", "OperationGraphPatterns",
    "AsyncRenderPatterns", "RunLoopTransactionPatterns", "ExplorationTesting", "SwiftTasks",
  ]

  /// A file that imports all modules together with those of Foundation, and names the main types of each.
  private static let everything =
    (libraries + ["Dispatch", "Foundation"]).map { "import \($0)\n" }.joined() + """

      let types: [Any.Type] = [
        LiveRuntime.self, Cancellation.self, Placement.self, Instant.self, Locked<Int>.self,
        Priority.self, TimedOut.self,
        Step.self, Value.self, Scope.self, Run.self, StepFailure.self, Arguments.self, Manual.self,
        Point.self, Size.self, Rect.self, Color.self,
        SerialQueue.self, HandlerChain.self, SerialQueueError.self,
        SerialAnimationQueue.self, Layer.self, LayerAnimator.self, Spring.self, TimingCurve.self,
        Promise<Int, Never>.self,
        OperationGraph.self, GraphRun.self, AsyncOperation.self, AsyncOperationQueue.self,
        JoinGroup.self, AsyncSemaphore.self, ResourcePool.self,
        Renderer.self, RenderLayer.self, TextLabel.self, Canvas.self, Picture.self, Path.self,
        Font.self, Paint.self, Transaction<Layer>.self, TransactionQueue.self,
        Recorder.self, RunRecord.self, StepRecord.self, Analysis.self, Comparison.self,
        Timeline.self, SavedRuns.self, HTMLReport.self, TraceFormat.self,
        SimulatedRuntime.self, Exploration.self, PatternLaws.self,
        ExplorationTrait.self, RuntimeSupport.self, SwiftTask.self,
        SerialQueuePlugin.self, PromisesPlugin.self, OperationGraphPlugin.self,
        AsyncRenderPlugin.self, RunLoopTransactionPlugin.self,
        Data.self, URL.self, DispatchQueue.self,
      ]
      print(types.isEmpty ? "none" : "all")

      """

  /// The folder of this package.
  private static var root: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
  }

  /// Commits the current sources as version 1.0.0 of a repository, and returns its path.
  private static func release(in place: TemporaryFolder) async throws -> String {
    let release = try await sources(in: place, named: "Release")
    let git = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
    try await Shell.run("git", "init", "--quiet", in: release)
    try await Shell.run("git", "add", "--all", in: release)
    try await Shell.run(["git"] + git + ["commit", "--quiet", "--message", "Release"], in: release)
    try await Shell.run("git", "tag", "1.0.0", in: release)
    return release
  }

  /// Copies the current sources to a new folder, and returns its path.
  private static func sources(
    in place: TemporaryFolder, named name: String
  ) async throws -> String {
    let folder = try place.folder(name)
    try await Shell.run(
      "sh", "-c",
      "tar -c --exclude .build Package.swift Modules Playground Tests | tar -x -C '\(folder)'",
      in: root
    )
    return folder
  }
}
