#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The entries of earlier sessions, in a file that several sessions may use at the same time.
///
/// Each entry is appended under a lock when it is entered, so no session overwrites the entries of another. The file is
/// shortened to `limit` entries when a session opens it, and when the session's own count of entries exceeds the limit.
struct HistoryFile {
  let path: String
  let limit: Int
  /// The number of entries when this session last read the file, plus those it has added since.
  private var count = 0

  init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// The default path of the history: `$XDG_STATE_HOME/async-playground/history`, or
  /// `~/.local/state/async-playground/history` if that variable is not set. Nil if neither directory is known.
  static func defaultPath(environment: [String: String]) -> String? {
    // The XDG specification requires that a relative path is ignored.
    func directory(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return (directory("XDG_STATE_HOME") ?? directory("HOME").map { $0 + "/.local/state" })
      .map { $0 + "/async-playground/history" }
  }

  /// Reads the newest `limit` entries, oldest first. Creates the file and its directories if they do not exist.
  mutating func load() throws(HistoryFileError) -> [String] {
    try makeDirectories()
    let file = try LockedFile(path: path)
    defer { file.close() }
    guard file.isRegular else { return [] }
    _ = fchmod(file.descriptor, 0o600)
    return try trim(file).map { line in
      HistoryCoding.decode(String(decoding: line.filter { $0 != 0 }, as: UTF8.self))
    }
  }

  /// Appends one entry to the file.
  mutating func append(_ entry: String) throws(HistoryFileError) {
    let file = try LockedFile(path: path)
    defer { file.close() }
    guard file.isRegular else { return }
    try file.write(Array(HistoryCoding.encode(entry).utf8) + [UInt8(ascii: "\n")])
    count += 1
    if count > limit { _ = try trim(file) }
  }

  /// Replaces a file that has too many entries with a shorter one. Returns the lines that remain.
  private mutating func trim(
    _ file: LockedFile
  ) throws(HistoryFileError) -> ArraySlice<ArraySlice<UInt8>> {
    let contents = try file.contents()
    let lines = HistoryCoding.lines(of: contents, limit: limit)
    count = lines.count
    // The new file is written completely before it is renamed, so one of the two files is always complete.
    if let first = lines.first, first.startIndex > 0, let end = lines.last?.endIndex {
      try file.replace(with: contents[first.startIndex..<end] + [UInt8(ascii: "\n")])
    } else if let last = contents.last, last != UInt8(ascii: "\n") {
      // The next entry must not be appended to an incomplete last line.
      try file.write([UInt8(ascii: "\n")])
    }
    return lines
  }

  private func makeDirectories() throws(HistoryFileError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for count in parts.indices.dropFirst() {
      let directory = parts[...count].joined(separator: "/")
      guard !directory.isEmpty, mkdir(directory, 0o700) != 0, errno != EEXIST else { continue }
      // If this user cannot write to the parent, `mkdir` may report that even for a directory that already exists.
      let reason = errno
      var status = stat()
      if stat(directory, &status) != 0 { throw HistoryFileError(path: directory, code: reason) }
    }
  }
}

/// The reason why the history cannot be saved.
struct HistoryFileError: Error, CustomStringConvertible {
  var path: String
  var code: Int32
  var description: String { "\(path): \(String(cString: strerror(code)))" }
}
