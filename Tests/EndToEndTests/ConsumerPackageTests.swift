import Foundation
import Testing

/// Somebody else's package depends on this one by version, and imports what it needs.
@Suite(.serialized) struct ConsumerPackageTests {
  @Test(.timeLimit(.minutes(10)))
  func aPackageImportsOneModuleOrAllOfThem() async throws {
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
        dependencies: [.package(url: "file://\(release)", from: "1.0.0")],
        targets: [
          .executableTarget(
            name: "OnlyPromises",
            dependencies: [.product(name: "Promises", package: "Release")]),
          .executableTarget(
            name: "Readme",
            dependencies: [.product(name: "SerialQueue", package: "Release")]),
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
    try place.write(
      """
      import Promises

      /// The names of the kernel are free for the importer.
      struct Step {}
      struct Scope {}
      enum Value { case number(Int) }

      let promise = Promise<Int, Never>.fulfilled(42)
      print(await promise.value)
      """, to: "Consumer/Sources/OnlyPromises/main.swift")
    try place.write(
      Self.libraries.map { "import \($0)\n" }.joined() + "print(\"all\")\n",
      to: "Consumer/Sources/Everything/main.swift")

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

    try place.write(try Self.readmeExample(), to: "Consumer/Sources/Readme/main.swift")

    try place.write(
      """
      import AsyncRender

      let canvas = try Canvas(size: Size(width: 60, height: 20), scale: 2)
      canvas.draw(TextLayout("drawn", font: try Font("Sans 10")), at: .zero, color: .black)
      let picture = try canvas.finish()
      print(picture.width, picture.height, try Picture(png: picture.pngData(), scale: 2).size.width)
      """, to: "Consumer/Sources/Drawn/main.swift")

    try await Shell.run("swift", "build", in: consumer)
    #expect(
      try await Shell.run("swift", "run", "--skip-build", "OnlyPromises", in: consumer) == "42")
    #expect(
      try await Shell.run("swift", "run", "--skip-build", "Everything", in: consumer) == "all")
    #expect(
      try await Shell.run(".build/debug/Readme", in: consumer) == "page 1\npage 2\npage 3\n3 pages")
    #expect(try await Shell.run(".build/debug/Drawn", in: consumer) == "120 40 60.0")
    #expect(try await Shell.run(".build/debug/RunningLoop", in: consumer) == "the turn ends")
    let said = try await Shell.run("sh", "-c", ".build/debug/AsynchronousMain 2>&1", in: consumer)
    #expect(said.split(separator: "\n").count == 2, "one note, and the end: \(said)")
    #expect(said.hasPrefix("note: the main thread does not run its run loop"))
    #expect(said.hasSuffix("two turns"))
  }

  static let libraries = [
    "AsyncRuntime", "AsyncPatterns", "SerialQueue", "Promises", "OperationGraph", "AsyncRender",
    "RunLoopTransaction", "TimingTrace", "AsyncSimulation", "AsyncPatternTesting",
  ]

  /// What the README shows of importing one module.
  private static func readmeExample() throws -> String {
    let readme = try String(contentsOfFile: root + "/README.md", encoding: .utf8)
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst()
    let example = try #require(blocks.first { $0.contains("import SerialQueue") })
    return try #require(example.components(separatedBy: "```").first)
  }

  /// The folder of this package.
  private static var root: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
  }

  /// The sources as they are now, as version 1.0.0 of a repository.
  private static func release(in place: TemporaryFolder) async throws -> String {
    let release = try place.folder("Release")
    try await Shell.run(
      "sh", "-c",
      "tar -c --exclude .build Package.swift Modules Playground Tests | tar -x -C '\(release)'",
      in: root
    )
    let git = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
    try await Shell.run("git", "init", "--quiet", in: release)
    try await Shell.run("git", "add", "--all", in: release)
    try await Shell.run(["git"] + git + ["commit", "--quiet", "--message", "Release"], in: release)
    try await Shell.run("git", "tag", "1.0.0", in: release)
    return release
  }
}
