// swift-tools-version: 6.2
import PackageDescription

// A separate package: programs that import only the library do not resolve swift-distributed-tracing and swift-log.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func module(_ name: String) -> Target.Dependency {
  .product(name: name, package: "AsynchronousPatterns")
}

let tracing = "swift-distributed-tracing"
let log = "swift-log"

let package = Package(
  name: "asynchronous-patterns-tracing",
  platforms: [.macOS(.v15)],
  products: [.library(name: "TimingTraceBridge", targets: ["TimingTraceBridge"])],
  dependencies: [
    .package(name: "AsynchronousPatterns", path: "../..", traits: []),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .target(
      name: "TimingTraceBridge",
      dependencies: [
        module("AsyncPatterns"), module("TimingTrace"),
        .product(name: "Tracing", package: tracing),
        .product(name: "Logging", package: log),
      ],
      swiftSettings: strict),
    // The sample that the README shows.
    .executableTarget(
      name: "trace-spans",
      dependencies: [
        "TimingTraceBridge", module("TimingTrace"), .product(name: "Tracing", package: tracing),
        .product(name: "Logging", package: log),
      ], path: "Sample",
      swiftSettings: strict),
    .testTarget(
      name: "TimingTraceBridgeTests",
      dependencies: [
        "TimingTraceBridge", module("AsyncPatterns"), module("TimingTrace"), module("SerialQueue"),
        module("SerialQueuePatterns"), module("OperationGraph"), module("OperationGraphPatterns"),
        module("AsyncSimulation"),
        .product(name: "Tracing", package: tracing),
        .product(name: "InMemoryTracing", package: tracing),
        .product(name: "Logging", package: log),
        .product(name: "InMemoryLogging", package: log),
      ],
      swiftSettings: strict),
  ]
)
