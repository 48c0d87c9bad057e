// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A separate package, so that a program that imports a module does not resolve what only the benchmarks need.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func module(_ name: String) -> Target.Dependency {
  .product(name: name, package: "AsynchronousPatterns")
}

/// Sources of other packages to compare with, which SwiftPM does not fetch: see `Scripts/bench --help`.
struct Peer {
  /// The folder of its sources in the folder of all peers.
  var folder: String
  /// The condition under which the benchmarks use it.
  var condition: String
  var module: String

  static let queue = Peer(folder: "Queue", condition: "PEER_QUEUE", module: "Queue")
  static let asyncQueue = Peer(
    folder: "swift-async-queue", condition: "PEER_ASYNC_QUEUE", module: "AsyncQueue")
  static let promiseKit = Peer(
    folder: "PromiseKit", condition: "PEER_PROMISE_KIT", module: "PromiseKit")

  /// `Scripts/bench --peers` names the folder of all peers.
  static let all = Context.environment["BENCHMARK_PEERS"]

  static func exists(_ folder: String) -> Bool {
    all.map { FileManager.default.fileExists(atPath: "\($0)/\(folder)") } ?? false
  }

  var isThere: Bool { Self.exists(folder) }

  var package: [Package.Dependency] {
    isThere ? [.package(name: folder, path: "\(Self.all!)/\(folder)")] : []
  }

  var product: [Target.Dependency] { isThere ? [.product(name: module, package: folder)] : [] }

  var setting: [SwiftSetting] { isThere ? [.define(condition)] : [] }
}

/// Taskflow consists of headers, which a target in C++ compiles.
let hasTaskflow = Peer.exists("taskflow")

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AsynchronousPatterns", path: "../..", traits: ["Drawing"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // Peers.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    // Servers that are recorded.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ] + Peer.queue.package + Peer.asyncQueue.package + Peer.promiseKit.package,
  targets: [
    .target(
      name: "Measuring",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    .executableTarget(
      name: "kernel",
      dependencies: [
        "Measuring", module("AsyncPatterns"), module("SerialQueuePatterns"), module("TimingTrace"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "trace",
      dependencies: ["Measuring", module("AsyncPatterns"), module("TimingTrace")],
      swiftSettings: strict),
    .executableTarget(
      name: "simulation",
      dependencies: [
        "Allocations", "Measuring", module("AsyncSimulation"), module("TimingTrace"),
        module("OperationGraphPatterns"), module("SwiftTasks"), "hops-bare", "hops-simulated",
        "hops-foundation",
      ],
      swiftSettings: strict),
    // Small programs that “simulation” and “recording” run.
    .target(name: "Hops", swiftSettings: strict),
    .executableTarget(name: "hops-bare", dependencies: ["Hops"], swiftSettings: strict),
    .executableTarget(
      name: "hops-simulated", dependencies: ["Hops", module("SwiftTasks")], swiftSettings: strict),
    .executableTarget(name: "hops-foundation", dependencies: ["Hops"], swiftSettings: strict),
    .executableTarget(name: "work-bare", dependencies: ["Hops"], swiftSettings: strict),
    .executableTarget(
      name: "recording", dependencies: ["Measuring", "hops-bare", "work-bare"],
      swiftSettings: strict),
    .target(name: "Serving", swiftSettings: strict),
    .executableTarget(
      name: "nio-server",
      dependencies: [
        "Serving", .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "flying-fox-server",
      dependencies: ["Serving", .product(name: "FlyingFox", package: "FlyingFox")],
      swiftSettings: strict),
    .executableTarget(
      name: "hummingbird-server",
      dependencies: ["Serving", .product(name: "Hummingbird", package: "hummingbird")],
      swiftSettings: strict),
    .executableTarget(
      name: "servers",
      dependencies: ["Measuring", "nio-server", "flying-fox-server", "hummingbird-server"],
      swiftSettings: strict),
    .executableTarget(
      name: "serial-queue",
      dependencies: [
        "Measuring", module("SerialQueue"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ] + Peer.queue.product + Peer.asyncQueue.product,
      swiftSettings: strict + Peer.queue.setting + Peer.asyncQueue.setting),
    // Counts what a program allocates.
    .target(name: "Allocations"),
    .executableTarget(
      name: "promises",
      dependencies: [
        "Allocations", "Measuring", module("AsyncRuntime"), module("Promises"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ] + Peer.promiseKit.product,
      swiftSettings: strict + Peer.promiseKit.setting),
    .executableTarget(
      name: "operation-graph",
      dependencies: ["Allocations", "Measuring", module("OperationGraph")]
        + (hasTaskflow ? ["TaskflowGraphs"] : []),
      swiftSettings: strict + (hasTaskflow ? [.define("PEER_TASKFLOW")] : [])),
    // Draws with bare calls of Cairo and Pango.
    .systemLibrary(name: "CairoHeaders", pkgConfig: "pangocairo"),
    .target(name: "BareDrawing", dependencies: ["CairoHeaders"]),
    .executableTarget(
      name: "render",
      dependencies: ["BareDrawing", "Measuring", module("AsyncRender"), module("AsyncRuntime")],
      swiftSettings: strict),
    .executableTarget(
      name: "run-loop",
      dependencies: ["Measuring", module("AsyncRuntime"), module("RunLoopTransaction")],
      swiftSettings: strict),
  ]
    + (hasTaskflow
      ? [
        .target(
          name: "TaskflowGraphs", cxxSettings: [.unsafeFlags(["-I\(Peer.all!)/taskflow"])])
      ] : []),
  cxxLanguageStandard: .cxx20
)
