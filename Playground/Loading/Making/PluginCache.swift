import Foundation

/// The folder that keeps what was made: `objects`, `verdicts`, `packages`.
struct PluginCache: Sendable {
  var root: String

  /// More objects or verdicts than this, and the oldest go.
  static let limit = 300

  /// The folder of that name, made if need be.
  ///
  /// Where the user's cache cannot be written, a folder of this process alone stands in: nobody else
  /// can have put anything there.
  func folder(_ name: String) -> String {
    let wanted = root + "/" + name
    if Files.make(wanted) { return wanted }
    let substitute = Self.substitute + "/" + name
    _ = Files.make(substitute)
    return substitute
  }

  /// A new empty folder on the same volume as `objects`, so that what is made in it can be renamed.
  func scratch() -> String {
    let folder = folder("scratch") + "/" + UUID().uuidString
    _ = Files.make(folder)
    return folder
  }

  /// Whether an object was found well by a probe before.
  func isKnownGood(_ key: String) -> Bool { Files.isFile(folder("verdicts") + "/" + key) }

  func rememberGood(_ key: String, _ verdict: [UInt8]) {
    _ = FileManager.default.createFile(
      atPath: folder("verdicts") + "/" + key, contents: Data(verdict))
  }

  /// What the probe of an object that was found well said of it.
  func goodVerdict(_ key: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder("verdicts") + "/" + key).map(Array.init)
  }

  /// What all probes have found well, in the order in which they did.
  var goodVerdicts: [[UInt8]] {
    let folder = folder("verdicts")
    return Files.names(in: folder).compactMap { FileStamp(folder + "/" + $0) }
      .sorted { $0.modified < $1.modified }
      .compactMap { FileManager.default.contents(atPath: $0.path).map(Array.init) }
  }

  /// Removes the oldest objects and verdicts beyond the limit, and what a program that was killed left
  /// in the scratch folder a day ago.
  func prune() {
    for folder in ["objects", "verdicts"].map(folder) {
      let kept = Files.names(in: folder).compactMap { FileStamp(folder + "/" + $0) }
      let oldest = kept.sorted { $0.modified < $1.modified }
        .prefix(max(0, kept.count - Self.limit))
      for stamp in oldest { unlink(stamp.path) }
    }
    let scratch = folder("scratch")
    let yesterday = (Int64(time(nil)) - 86_400) * 1_000_000_000
    for stamp in Files.names(in: scratch).compactMap({ FileStamp(scratch + "/" + $0) })
    where stamp.modified < yesterday {
      try? FileManager.default.removeItem(atPath: stamp.path)
    }
  }

  private static let substitute: String = {
    var template = Array((NSTemporaryDirectory() + "/async-playground-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { return NSTemporaryDirectory() }
    return String(cString: made)
  }()
}
