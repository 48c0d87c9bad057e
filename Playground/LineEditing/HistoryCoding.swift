/// The format of entries in the history file: one entry per line, in UTF-8, oldest first. Inside an entry, a newline is
/// written as `\n`, a carriage return as `\r` and a backslash as `\\`. An entry of several lines is therefore read back
/// as one entry, and the file can still be searched line by line.
enum HistoryCoding {
  static func encode(_ entry: String) -> String {
    var line = ""
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": line += "\\\\"
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// Reverses ``encode(_:)``. A backslash before any other character stays a backslash.
  static func decode(_ line: some StringProtocol) -> String {
    var entry = ""
    var escaped = false
    for scalar in line.unicodeScalars {
      guard escaped else {
        if scalar == "\\" { escaped = true } else { entry.unicodeScalars.append(scalar) }
        continue
      }
      escaped = false
      switch scalar {
      case "\\": entry += "\\"
      case "n": entry += "\n"
      case "r": entry += "\r"
      default:
        entry += "\\"
        entry.unicodeScalars.append(scalar)
      }
    }
    return escaped ? entry + "\\" : entry
  }

  /// The newest `limit` lines of a history file, still encoded.
  static func lines(of contents: [UInt8], limit: Int) -> ArraySlice<ArraySlice<UInt8>> {
    contents.split(separator: UInt8(ascii: "\n")).suffix(limit)
  }
}
