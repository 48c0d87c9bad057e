internal import Foundation

/// Where a library without a trace reports misuse.
package enum StandardError {
  package static func write(_ text: String) {
    // If even this fails, nothing can be done.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
