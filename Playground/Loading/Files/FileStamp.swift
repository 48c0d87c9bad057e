import Foundation

/// Identifies one state of a file without reading the file.
struct FileStamp: Hashable {
  var path: String
  var size: Int64
  var modified: Int64
  var inode: UInt64

  /// Nil if there is no file at `path`.
  init?(_ path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    self.path = path
    size = Int64(information.st_size)
    modified = information.st_mtim.nanoseconds
    inode = UInt64(information.st_ino)
  }

  var text: String { "\(size) \(modified) \(inode) \(path)" }

  var hash: String {
    var hash = ContentHash()
    hash.combine(text)
    return hash.text
  }
}

extension timespec {
  var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}
