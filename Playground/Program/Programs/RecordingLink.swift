import AgentMessages
import Foundation

/// A link beside the file that a recording will be saved to. It leads to the folder of the recording while the program
/// runs, so that another playground finds it.
struct RecordingLink {
  private let file: String
  private var path: String { file + ".recording" }

  /// - Parameter file: the one that the recording will be saved to.
  init(beside file: String) { self.file = FilePath.resolve(file) }

  /// Replaces a link that there is. Where there can be none, the recording cannot be followed, and all else works.
  func point(to folder: AgentFolder) {
    if let kind = try? FileManager.default.attributesOfItem(atPath: file)[.type]
      as? FileAttributeType,
      kind != .typeRegular
    {
      return
    }
    removeLink()
    try? FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path)
  }

  /// Removes the link, unless it points to another recording by now.
  func remove(ifPointingTo folder: AgentFolder) {
    if destination == folder.path { removeLink() }
  }

  /// Nil if no program is being recorded.
  var folder: AgentFolder? {
    guard let destination, FileManager.default.fileExists(atPath: destination) else { return nil }
    return AgentFolder(destination)
  }

  private var destination: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  private func removeLink() {
    if destination != nil { try? FileManager.default.removeItem(atPath: path) }
  }
}
