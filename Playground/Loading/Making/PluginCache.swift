import Foundation

/// The folder that keeps results: `objects`, `interfaces`, `verdicts`, `packages`, `jobs`.
struct PluginCache: Sendable {
  var root: String

  /// The maximum number of objects, of interfaces and of verdicts. When there are more, the least recently used ones
  /// are removed.
  static let limit = 1000

  /// The folder with that name, or with that path below the root; created if it does not exist.
  ///
  /// If other users may write to a folder of the user's cache, it becomes private. Each object and each verdict in it
  /// is checked before it is used. If the cache cannot be written, belongs to another user or cannot be made private, a
  /// private folder of this process replaces it. No other process can have written there.
  func folder(_ name: String) -> String {
    let wanted = root + "/" + name
    var folders = [root]
    for part in name.split(separator: "/") { folders.append(folders.last! + "/" + part) }
    _ = Files.make(wanted)
    guard let refused = folders.first(where: { !Files.makePrivate($0) || !Files.make($0) }) else {
      return wanted
    }
    // A refused folder for verdicts or scratch files causes no recompilation, so the user need not know.
    if !["verdicts", "scratch"].contains(name) { CacheRefusal.note(refused) }
    let substitute = Self.substitute + "/" + name
    _ = Files.make(substitute)
    return substitute
  }

  /// A new empty folder on the same volume as `objects`, so that a file made in it can be renamed into place. The
  /// caller must remove it with `LoaderRemains.removeFolder`.
  func scratch() -> String {
    let folder = folder("scratch") + "/" + UUID().uuidString
    LoaderRemains.makeFolder(folder)
    return folder
  }

  /// Whether a probe accepted this object before.
  func isKnownGood(_ key: String) -> Bool { goodVerdict(key) != nil }

  func rememberGood(_ key: String, _ verdict: [UInt8]) {
    let scratch = self.scratch()
    defer { LoaderRemains.removeFolder(scratch) }
    let made = scratch + "/verdict"
    let bytes = Data(verdict + Self.seal(of: verdict[...]))
    guard FileManager.default.createFile(atPath: made, contents: bytes) else { return }
    _ = Files.place(made, at: folder("verdicts") + "/" + key)
  }

  /// The report of the probe that accepted an object.
  func goodVerdict(_ key: String) -> [UInt8]? { verdict(at: folder("verdicts") + "/" + key) }

  /// The bytes that follow a verdict in its file, so that an incomplete file is recognized.
  private static func seal(of verdict: ArraySlice<UInt8>) -> [UInt8] {
    var hash = ContentHash()
    hash.combine(verdict)
    return Array(hash.text.utf8)
  }

  /// The verdict in a file. Nil if the file is incomplete, belongs to another user, or can be written by other users.
  private func verdict(at path: String) -> [UInt8]? {
    guard Files.isOwn(path), let bytes = Files.read(path) else { return nil }
    let verdict = bytes.dropLast(Self.seal(of: []).count)
    return bytes.elementsEqual(verdict + Self.seal(of: verdict)) ? Array(verdict) : nil
  }

  /// The reports of all probes that accepted an object, in the order in which they were written.
  var goodVerdicts: [[UInt8]] {
    let folder = folder("verdicts")
    return Files.names(in: folder).compactMap { FileStamp(folder + "/" + $0) }
      .sorted { $0.modified < $1.modified }
      .compactMap { verdict(at: $0.path) }
  }

  /// Removes the least recently used objects, interfaces and verdicts beyond the limit. Also removes entries of the
  /// scratch folder that are older than a day; a program that was killed left them there.
  func prune() {
    for folder in ["objects", "interfaces", "verdicts"].map(folder) {
      let kept = Files.names(in: folder).map { name in
        let path = folder + "/" + name
        return (path: path, use: Files.lastUse(of: path))
      }
      let oldest = kept.sorted { $0.use < $1.use }.prefix(max(0, kept.count - Self.limit))
      for file in oldest { unlink(file.path) }
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
    // Below a device, no file can be made.
    guard let made = mkdtemp(&template) else { return "/dev/null" }
    let folder = String(cString: made)
    LoaderRemains.makeFolder(folder)
    return folder
  }()
}
