import CReadline

/// The entered blocks: readline's list, which the arrow keys step through, and the file that stores it.
@MainActor
struct History {
  /// The maximum number of entries, in memory and in the file.
  nonisolated static let limit = 10_000

  private var file: HistoryFile?
  private var last: String?
  private var isLoaded = false

  init(file: HistoryFile?) { self.file = file }

  /// Loads the entries of earlier sessions. Returns a warning if entries cannot be saved.
  mutating func load() -> String? {
    guard !isLoaded else { return nil }
    isLoaded = true
    using_history()
    stifle_history(Int32(Self.limit))
    var entries: [String] = []
    let warning = withFile { file throws(HistoryFileError) in entries = try file.load() }
    for entry in entries { add_history(entry) }
    last = entries.last
    return warning
  }

  /// The entries, the oldest first.
  var entries: [String] {
    guard let list = history_list() else { return [] }
    var entries: [String] = []
    while let entry = list[entries.count] {
      entries.append(entry.pointee.line.map { String(cString: $0) } ?? "")
    }
    return entries
  }

  /// Adds a block as one entry, unless it equals the previous entry. Returns a warning if it could not be written.
  mutating func add(_ block: String) -> String? {
    guard block != last else { return nil }
    last = block
    add_history(block)
    return withFile { file throws(HistoryFileError) in try file.append(block) }
  }

  private mutating func withFile(
    _ body: (inout HistoryFile) throws(HistoryFileError) -> Void
  ) -> String? {
    guard var file else { return nil }
    do {
      try body(&file)
      self.file = file
      return nil
    } catch {
      // Only one warning is given. From now on the session keeps its entries in memory.
      self.file = nil
      return "The history cannot be saved: \(error)."
    }
  }
}
