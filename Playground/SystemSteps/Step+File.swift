public import AsyncPatterns

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Step {
  /// Reads a file. The value is the file's contents: a string if they are UTF-8, otherwise data.
  ///
  /// Fails with a `StepFailure` that names the path and the reason.
  ///
  /// - Parameter path: relative to the working directory. A leading `~` is the home directory.
  public static func read(_ label: String, path: String) throws(ArgumentError) -> Step {
    let file = try File(path)
    return Step(label) { _, _ in
      let data = try file.read()
      return String(validating: data, as: UTF8.self).map { .string($0) } ?? .data(data)
    }
  }

  /// Writes the bytes of its input to a file. They replace the file's contents. The value is the input.
  ///
  /// At any time the file has either the old or the new contents, even if the step is cancelled. Fails with a
  /// `StepFailure` that names the path and the reason.
  ///
  /// - Parameter path: relative to the working directory. A leading `~` is the home directory.
  public static func write(_ label: String, path: String) throws(ArgumentError) -> Step {
    let file = try File(path)
    return Step(label) { input, _ in
      try file.replace(with: input.bytes)
      return input
    }
  }
}

extension StepKind {
  private static let path = Parameter(
    "path", .string, isRequired: true, summary: "the file; ~ is the home directory")

  static let read = StepKind(
    Manual(
      name: "read", summary: "Reads a file; its contents are the value.",
      discussion: """
        The value is a string if the contents are UTF-8, and data otherwise. A file of more than 1 GB, \
        a directory, a device and a named pipe are refused.

        A real file takes real time. On the virtual clock, use `value` for the contents instead, and \
        `sleep` or `work` for the time that reading took on the live clock.
        """,
      parameters: [path], steps: .none, clocks: [.live], examples: ["read \"/etc/passwd\""])
  ) { try .read("read", path: $0.string("path")) }

  static let write = StepKind(
    Manual(
      name: "write", summary: "Writes its input to a file, and passes its input on.",
      discussion: """
        The old contents are replaced in one go when everything has been written: a cancelled or \
        failed step leaves the old file. Directories are not created.

        A real file takes real time. On the virtual clock, use `sleep` or `work` instead, with the \
        time that a run on the live clock measured.
        """,
      parameters: [path], steps: .none, clocks: [.live], examples: ["write \"note.txt\""])
  ) { try .write("write", path: $0.string("path")) }
}
