import Foundation

/// How long the tests search that try random input.
package enum SearchLength {
  /// How many times as long as usual. `SEARCH_FACTOR` sets it.
  package static let factor =
    ProcessInfo.processInfo.environment["SEARCH_FACTOR"].flatMap { Int($0) } ?? 1
}
