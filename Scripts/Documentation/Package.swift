// swift-tools-version: 6.2
import PackageDescription

// A package of its own: nobody who imports a module resolves what only documenting needs.

let package = Package(
  name: "Documentation",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AsynchronousPatterns", path: "../.."),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ])
