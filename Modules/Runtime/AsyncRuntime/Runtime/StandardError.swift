internal import Foundation

/// Writes reports to standard error, such as reports of misuse when there is no trace.
package enum StandardError {
  package static func write(_ text: String) {
    // If even this fails, nothing can be done.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
