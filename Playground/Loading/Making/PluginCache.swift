import Foundation

/// The folder that keeps results: `objects`, `verdicts`, `packages`.
struct PluginCache: Sendable {
  var root: String

  /// The maximum number of objects, and of verdicts. When there are more, the oldest are removed.
  static let limit = 300

  /// The folder with that name; created if it does not exist.
  ///
  /// If the user's cache cannot be written, a private folder of this process replaces it. No other process can have
  /// written there.
  func folder(_ name: String) -> String {
    let wanted = root + "/" + name
    if Files.make(wanted) { return wanted }
    let substitute = Self.substitute + "/" + name
    _ = Files.make(substitute)
    return substitute
  }

  /// A new empty folder on the same volume as `objects`, so that a file made in it can be renamed into place.
  func scratch() -> String {
    let folder = folder("scratch") + "/" + UUID().uuidString
    _ = Files.make(folder)
    return folder
  }

  /// Whether a probe accepted this object before.
  func isKnownGood(_ key: String) -> Bool { Files.isFile(folder("verdicts") + "/" + key) }

  func rememberGood(_ key: String, _ verdict: [UInt8]) {
    _ = FileManager.default.createFile(
      atPath: folder("verdicts") + "/" + key, contents: Data(verdict))
  }

  /// The report of the probe that accepted an object.
  func goodVerdict(_ key: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder("verdicts") + "/" + key).map(Array.init)
  }

  /// The reports of all probes that accepted an object, in the order in which they were written.
  var goodVerdicts: [[UInt8]] {
    let folder = folder("verdicts")
    return Files.names(in: folder).compactMap { FileStamp(folder + "/" + $0) }
      .sorted { $0.modified < $1.modified }
      .compactMap { FileManager.default.contents(atPath: $0.path).map(Array.init) }
  }

  /// Removes the oldest objects and verdicts beyond the limit. Also removes entries of the scratch folder that are
  /// older than a day; a program that was killed left them there.
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
