// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a program that imports a module of the project does not resolve it.

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
  name: "PublicBugs",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AsynchronousPatterns", path: "../..", traits: [])
  ],
  targets: [
    // The bugs, before and after their fixes: plain Swift that imports no module of the project.
    .target(name: "PublicBugs", swiftSettings: strict),
    // Measures how fast exploring finds each bug, and how often the bug shows without a simulation.
    .executableTarget(
      name: "PublicBugsTable", dependencies: ["PublicBugs", module("AsyncSimulation")],
      swiftSettings: strict),
    .testTarget(
      name: "PublicBugsTests", dependencies: ["PublicBugs", module("AsyncSimulation")],
      swiftSettings: strict),
  ]
)
