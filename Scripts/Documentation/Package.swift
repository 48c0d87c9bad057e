// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that a program that imports a module does not resolve what only the documentation needs.

let package = Package(
  name: "Documentation",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "AsynchronousPatterns", path: "../.."),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ])
