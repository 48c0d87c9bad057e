import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The folder through which the playground and the agent in a program exchange messages.
package struct AgentFolder: Sendable {
  /// The environment variable that holds the path of the folder.
  package static let variable = "PLAYGROUND_AGENT"

  package let path: String

  package init(_ path: String) { self.path = path }

  /// Makes a new folder, which only its owner can read.
  ///
  /// - Throws: `Fault` if the system cannot make it.
  package static func make() throws(Fault) -> AgentFolder {
    var parent = NSTemporaryDirectory()
    // Blanks and colons separate the paths in `LD_PRELOAD`.
    if parent.contains(where: { $0 == " " || $0 == ":" }) { parent = "/tmp" }
    var template = Array((parent + "/playground-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw Fault(path: parent, code: errno) }
    return AgentFolder(String(cString: made))
  }

  /// Makes a link to the agent, so that its path has no blanks or colons.
  ///
  /// - Returns: the path of the link.
  package func link(agent: String) throws(Fault) -> String {
    let link = url("agent.so").path
    try Fault.at(link) {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: agent)
    }
    return link
  }

  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  package func write(_ order: AgentOrder) throws(Fault) {
    let file = url("order")
    try Fault.at(file.path) { try JSONEncoder().encode(order).write(to: file, options: .atomic) }
  }

  /// The order; nil if there is none, or it cannot be read.
  package var order: AgentOrder? {
    (try? Data(contentsOf: url("order"))).flatMap {
      try? JSONDecoder().decode(AgentOrder.self, from: $0)
    }
  }

  /// Claims the work for the calling process.
  ///
  /// A test bundle has a process for each library. The second one has no work if the first one has found a violation
  /// or was interrupted.
  ///
  /// - Returns: false if another process has claimed it, or if no work is left.
  package func claim(for library: TestLibrary?) -> Bool {
    if reports.contains(where: \.isLast) { return false }
    let file = open(url("process", of: library).path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    let text = String(getpid())
    return text.withCString { Glibc.write(file, $0, strlen($0)) } > 0
  }

  /// The process that claimed the work most recently; nil if none has claimed it.
  package var process: Int32? {
    Self.parts.reversed().lazy.compactMap { library in
      (try? String(contentsOf: url("process", of: library), encoding: .utf8)).flatMap { Int32($0) }
    }.first
  }

  /// Writes a report, which replaces an earlier one about the same library.
  package func write(_ report: AgentReport) throws {
    try JSONEncoder().encode(report).write(
      to: url("report", of: report.library), options: .atomic)
  }

  /// The reports that agents have written so far, in the order in which they worked.
  package var reports: [AgentReport] {
    Self.parts.compactMap { library in
      (try? Data(contentsOf: url("report", of: library))).flatMap {
        try? JSONDecoder().decode(AgentReport.self, from: $0)
      }
    }
  }

  /// The path of the file of runs that the agent writes.
  package func runs(of library: TestLibrary? = nil) -> String { url("runs", of: library).path }

  /// The processes that have files of their own: nil for a program, then those of a test bundle in the order in which
  /// they start.
  private static let parts: [TestLibrary?] = [nil, .xctest, .swiftTesting]

  private func url(_ name: String, of library: TestLibrary?) -> URL {
    url(name + (library.map { "." + $0.rawValue } ?? ""))
  }

  /// The path of the recording.
  package var recording: String { url("recording").path }
  /// The path of a file that shows where the program's files were in memory.
  package var map: String { url("map").path }

  /// Links the recording of another folder into this one.
  package func link(recordingOf other: AgentFolder) throws(Fault) {
    for (name, path) in [("recording", other.recording), ("map", other.map)] {
      let link = url(name).path
      try Fault.at(link) {
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      }
    }
  }

  /// Makes a folder for the recording of the calling process, which the recorded program has started.
  ///
  /// - Returns: nil if the folder cannot be made.
  package func makeChild() -> AgentFolder? {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    // The names are in the order in which the processes started.
    let name = String(format: "%020ld.%09ld-%d", time.tv_sec, time.tv_nsec, getpid())
    let folder = AgentFolder(url(Self.child + name).path)
    guard mkdir(folder.path, 0o700) == 0, folder.claim(for: nil) else { return nil }
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let program, symlink(program, folder.program) == 0 else { return nil }
    return folder
  }

  /// The folders of ``makeChild()``, in the order in which the processes started.
  package var children: [AgentFolder] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasPrefix(Self.child) }.sorted().map { AgentFolder(url($0).path) }
  }

  private static let child = "child-"

  /// The path of a link to the program's file, in a folder of ``makeChild()``.
  package var program: String { url("program").path }

  /// Lets another process claim the work.
  package func release() {
    for library in Self.parts {
      try? FileManager.default.removeItem(at: url("process", of: library))
    }
  }

  /// Writes the number of schedules that have been tried so far.
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

extension AgentFolder {
  /// The folder cannot be made, or a file in it cannot be written.
  package struct Fault: Error, Hashable, CustomStringConvertible {
    package let path: String
    /// The value of `errno`.
    package let code: Int32

    package var description: String {
      "“\(path)” cannot be written: \(String(cString: strerror(code))); "
        + (code == ENOSPC ? "free some space there, or " : "") + "set TMPDIR to another folder"
    }

    /// Calls `body`, and converts an error that Foundation throws to a `Fault`.
    fileprivate static func at(_ path: String, _ body: () throws -> Void) throws(Fault) {
      do { try body() } catch {
        let reason = (error as? CocoaError)?.underlying as? POSIXError
        throw Fault(path: path, code: reason?.code.rawValue ?? EIO)
      }
    }
  }
}
