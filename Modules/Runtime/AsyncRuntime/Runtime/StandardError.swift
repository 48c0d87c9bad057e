internal import Foundation

/// Where a library without a trace says what it must not keep to itself.
package enum StandardError {
  package static func write(_ text: String) {
    // Nothing can be done where even this fails.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
