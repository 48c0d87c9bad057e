// swift-tools-version: 6.2
import PackageDescription

// A package of its own: nobody who imports a module resolves what only measuring needs.

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
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "AsynchronousPatterns", path: "../..")],
  targets: [
    .target(name: "Measuring", swiftSettings: strict),
    .executableTarget(
      name: "kernel",
      dependencies: [
        "Measuring", module("AsyncPatterns"), module("SerialQueue"), module("TimingTrace"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "simulation",
      dependencies: [
        "Measuring", module("Simulation"), module("TimingTrace"), module("OperationGraph"),
      ],
      swiftSettings: strict),
  ]
)
