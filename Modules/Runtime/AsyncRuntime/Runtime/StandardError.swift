internal import Foundation

/// Reports the misuse of a library that has no trace.
package enum StandardError {
  package static func write(_ text: String) {
    // If even this fails, nothing can be done.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
