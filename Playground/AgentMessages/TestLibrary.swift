/// A library for tests. A test bundle is run once for each library.
package enum TestLibrary: String, Codable, Sendable, CaseIterable {
  case xctest
  case swiftTesting = "swift-testing"

  /// Its name in text for people.
  package var name: String {
    switch self {
    case .xctest: "XCTest"
    case .swiftTesting: "Swift Testing"
    }
  }
}
