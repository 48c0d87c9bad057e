/// A library for tests. A test bundle is run once for each of them.
package enum TestLibrary: String, Codable, Sendable, CaseIterable {
  case xctest
  case swiftTesting = "swift-testing"

  /// Its name for people.
  package var name: String {
    switch self {
    case .xctest: "XCTest"
    case .swiftTesting: "Swift Testing"
    }
  }
}
