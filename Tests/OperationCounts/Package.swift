// swift-tools-version: 6.2
import PackageDescription

// A separate package, since its tests count in an optimised build. Linux only.

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
  name: "OperationCounts",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AsynchronousPatterns", path: "../..", traits: [])
  ],
  targets: [
    .target(name: "CCounting"),
    .testTarget(
      name: "OperationCountsTests",
      dependencies: [
        "CCounting", module("AsyncPatterns"), module("AsyncSimulation"), module("OperationGraph"),
        module("OperationGraphPatterns"), module("Promises"), module("RunLoopTransaction"),
        module("SerialQueue"), module("SerialQueuePatterns"), module("TimingTrace"),
      ],
      swiftSettings: strict),
  ]
)
