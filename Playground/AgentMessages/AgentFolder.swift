import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The folder by which the playground and the agent in a program talk to each other.
package struct AgentFolder: Sendable {
  /// The variable of the environment that names it.
  package static let variable = "PLAYGROUND_AGENT"

  package let path: String

  package init(_ path: String) { self.path = path }

  /// A new one, which only its owner can read.
  ///
  /// - Throws: what the system says.
  package static func make() throws -> AgentFolder {
    var parent = NSTemporaryDirectory()
    // The system loads libraries from a list, which these characters part.
    if parent.contains(where: { $0 == " " || $0 == ":" }) { parent = "/tmp" }
    var template = Array((parent + "/playground-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CocoaError(.fileWriteUnknown)
    }
    return AgentFolder(String(cString: made))
  }

  /// Shows the agent under a path without blanks and colons.
  ///
  /// - Returns: that path.
  package func link(agent: String) throws -> String {
    let link = url("agent.so").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: agent)
    return link
  }

  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  package func write(_ order: AgentOrder) throws {
    try JSONEncoder().encode(order).write(to: url("order"), options: .atomic)
  }

  /// Nil if there is none.
  package var order: AgentOrder? {
    (try? Data(contentsOf: url("order"))).flatMap {
      try? JSONDecoder().decode(AgentOrder.self, from: $0)
    }
  }

  /// The calling process does the work, unless another one does.
  package func claim() -> Bool {
    let file = open(url("process").path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    let text = String(getpid())
    return text.withCString { Glibc.write(file, $0, strlen($0)) } > 0
  }

  /// The process that does the work; nil until there is one.
  package var process: Int32? {
    (try? String(contentsOf: url("process"), encoding: .utf8)).flatMap { Int32($0) }
  }

  /// - Parameter report: replaces the one that there is.
  package func write(_ report: AgentReport) throws {
    try JSONEncoder().encode(report).write(to: url("report"), options: .atomic)
  }

  /// Nil until there is one.
  package var report: AgentReport? {
    (try? Data(contentsOf: url("report"))).flatMap {
      try? JSONDecoder().decode(AgentReport.self, from: $0)
    }
  }

  /// The file of runs of a replay.
  package var runs: String { url("runs").path }

  /// What is recorded, as the agent writes it, and where the files of the program lay in memory.
  package var recording: String { url("recording").path }
  package var map: String { url("map").path }

  /// Links the recording of another folder into this one.
  package func link(recordingOf other: AgentFolder) throws {
    for (name, path) in [("recording", other.recording), ("map", other.map)] {
      try FileManager.default.createSymbolicLink(
        atPath: url(name).path, withDestinationPath: path)
    }
  }

  /// The program has ended its process.
  package func noteExit() { try? Data().write(to: url("exited")) }
  package var hasExited: Bool { FileManager.default.fileExists(atPath: url("exited").path) }

  /// Another process may do the next work.
  package func release() { try? FileManager.default.removeItem(at: url("process")) }

  /// How many schedules have been tried, written often.
  package func write(tried count: Int) {
    try? Data(String(count).utf8).write(to: url("tried"), options: .atomic)
  }

  package var triedCount: Int {
    (try? String(contentsOf: url("tried"), encoding: .utf8)).flatMap { Int($0) } ?? 0
  }

  private func url(_ name: String) -> URL {
    URL(fileURLWithPath: path).appendingPathComponent(name)
  }
}
