import AgentMessages
import Foundation

/// A link beside the file that a recording will be saved to. While the program runs, it leads to the folder of the
/// recording, so that another playground can find it.
struct RecordingLink {
  private let file: String
  private var path: String { file + ".recording" }

  /// - Parameter file: the file that the recording will be saved to.
  init(beside file: String) { self.file = FilePath.resolve(file) }

  /// Points the link to a folder, and replaces an existing link. If no link can be made, the recording cannot be
  /// followed, but everything else works.
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

  /// Removes the link, unless it now points to another recording.
  func remove(ifPointingTo folder: AgentFolder) {
    if destination == folder.path { removeLink() }
  }

  /// The folder of the recording. Nil if no program is being recorded.
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
