// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since everything in it is built with sanitizers: see Scripts/fuzz.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func module(_ name: String) -> Target.Dependency {
  .product(name: name, package: "AsynchronousPatterns")
}

let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AsynchronousPatterns", path: "../..", traits: ["Drawing"]),
    .package(path: "../../Bridges/Tracing"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // The entry point of libFuzzer.
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer", module("AsyncRender"), module("FuzzedParts"), module("SwiftTasks"),
        module("TimingTrace"),
        .product(name: "TimingTraceBridge", package: "Tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
  ]
)
