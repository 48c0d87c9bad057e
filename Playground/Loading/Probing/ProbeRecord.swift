import Foundation

/// One line of a probing child's report: the stage that it has reached with a plugin, or its final verdict.
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

  /// The records in a child's output. Lines that are not records are skipped, for example one truncated by a crash.
  static func records(in output: [UInt8]) -> [ProbeRecord] {
    let decoder = JSONDecoder()
    return output.split(separator: UInt8(ascii: "\n")).compactMap {
      try? decoder.decode(ProbeRecord.self, from: Data($0))
    }
  }

  /// The record as one line of JSON.
  var line: [UInt8] {
    ((try? JSONEncoder().encode(self)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
  }
}
