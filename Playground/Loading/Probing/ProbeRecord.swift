import Foundation

/// A line of what a probing child reports: how far it is with a plugin, and its verdict in the end.
struct ProbeRecord: Codable, Equatable {
  var object: String
  var stage: PluginImage.Stage?
  var plugin: Description?
  var refusal: Refusal?

  struct Description: Codable, Equatable {
    var name: String
    var summary: String
    var patterns: [Pattern]
  }

  struct Pattern: Codable, Equatable {
    var name: String
    var summary: String
  }

  struct Refusal: Codable, Equatable {
    var kind: PluginError.Kind
    var message: String
  }

  /// The records of a child's output. What is no record, a line cut off by a crash say, is skipped.
  static func records(in output: [UInt8]) -> [ProbeRecord] {
    let decoder = JSONDecoder()
    return output.split(separator: UInt8(ascii: "\n")).compactMap {
      try? decoder.decode(ProbeRecord.self, from: Data($0))
    }
  }

  /// The record as a line.
  var line: [UInt8] {
    ((try? JSONEncoder().encode(self)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
  }
}
