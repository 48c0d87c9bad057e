#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The entries of earlier sessions, in a file that several sessions may use at once.
///
/// Each entry is appended when it is entered, under a lock, so no session overwrites another's. The
/// file is cut to `limit` entries whenever a session opens it or itself goes beyond.
struct HistoryFile {
  let path: String
  let limit: Int
  /// How many entries the file held when this session last looked, and what it added since.
  private var count = 0

  init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Where the history belongs: `$XDG_STATE_HOME/async-playground/history`, by default
  /// `~/.local/state/async-playground/history`; nil if neither directory is known.
  static func defaultPath(environment: [String: String]) -> String? {
    // The XDG specification: a relative path is invalid and to be ignored.
    func directory(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return (directory("XDG_STATE_HOME") ?? directory("HOME").map { $0 + "/.local/state" })
      .map { $0 + "/async-playground/history" }
  }

  /// Reads the newest `limit` entries, oldest first; creates the file and its directories if need be.
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

  /// Adds one entry at the end.
  mutating func append(_ entry: String) throws(HistoryFileError) {
    let file = try LockedFile(path: path)
    defer { file.close() }
    guard file.isRegular else { return }
    try file.write(Array(HistoryCoding.encode(entry).utf8) + [UInt8(ascii: "\n")])
    count += 1
    if count > limit { _ = try trim(file) }
  }

  /// Puts a shorter file in the place of one that is too long, and yields the lines that it holds.
  private mutating func trim(
    _ file: LockedFile
  ) throws(HistoryFileError) -> ArraySlice<ArraySlice<UInt8>> {
    let contents = try file.contents()
    let lines = HistoryCoding.lines(of: contents, limit: limit)
    count = lines.count
    // Written in full before it takes the name: whatever happens, one of the two is complete.
    if let first = lines.first, first.startIndex > 0, let end = lines.last?.endIndex {
      try file.replace(with: contents[first.startIndex..<end] + [UInt8(ascii: "\n")])
    } else if let last = contents.last, last != UInt8(ascii: "\n") {
      // A last line that somebody left unfinished must not swallow the next entry.
      try file.write([UInt8(ascii: "\n")])
    }
    return lines
  }

  private func makeDirectories() throws(HistoryFileError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for count in parts.indices.dropFirst() {
      let directory = parts[...count].joined(separator: "/")
      guard !directory.isEmpty, mkdir(directory, 0o700) != 0, errno != EEXIST else { continue }
      // The parents of what exists need not be ours to make.
      let reason = errno
      var status = stat()
      if stat(directory, &status) != 0 { throw HistoryFileError(path: directory, code: reason) }
    }
  }
}

/// Why the history cannot be kept.
struct HistoryFileError: Error, CustomStringConvertible {
  var path: String
  var code: Int32
  var description: String { "\(path): \(String(cString: strerror(code)))" }
}
