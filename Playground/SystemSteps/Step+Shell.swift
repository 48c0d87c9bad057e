public import AsyncPatterns

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Step {
  /// Runs `command` with `/bin/sh -c`.
  ///
  /// The step's input is the command's standard input. A text that is not empty ends with a newline. The step completes
  /// when the command has exited and its standard output and standard error are closed. No thread is blocked meanwhile.
  ///
  /// The value is the command's standard output: a string without its trailing newline, or the unchanged data if they
  /// are not UTF-8. The step fails with a `StepFailure` if the command exits with a status other than 0 or is killed by
  /// a signal. It also fails if the command writes more than `ShellOutput.limit`.
  ///
  /// Cancelling the step ends the command's whole process group. The step completes when the group has ended.
  public static func sh(_ label: String, _ command: String) -> Step {
    Step(label) { input, scope in
      let process = ShellProcess(on: scope.runtime.pool)
      let output = try await process.run(command, input: input.standardInput)
      if !output.errors.isEmpty { scope.mark("standard error", output.errorText) }
      return try output.value
    }
  }
}

extension Value {
  /// The value as bytes for standard input. As in a shell's pipe, a text that is not empty ends with a newline. Data
  /// are unchanged.
  fileprivate var standardInput: Data {
    let newline = UInt8(ascii: "\n")
    let bytes = bytes
    if case .data = self { return bytes }
    return bytes.isEmpty || bytes.last == newline ? bytes : bytes + [newline]
  }
}

extension StepKind {
  static let sh = StepKind(
    Manual(
      name: "sh", summary: "Runs a shell command; its standard output is the value.",
      discussion: """
        The step's input is the command's standard input, even if it is empty: nothing is read from \
        the terminal. A text gets a newline at its end, as in a shell's pipe, and data are unchanged. \
        The value is its standard output as a string without the last newline, or the \
        unchanged bytes if they are not UTF-8; more than 64 MB of them are a failure. An exit status \
        other than 0 is a failure that shows the end of standard error.

        Like a pipeline, the step ends when the command has exited and no process still holds its \
        standard output or standard error: `sleep 100 &` takes 100 seconds, and `sleep 100 >/dev/null \
        2>&1 &` takes none, and its background process keeps running.

        Cancelling sends TERM to the command's whole process group, and KILL half a second later to \
        what is left of it. The step completes when the group is gone.

        A real command takes real time. On the virtual clock, use `work` or `sleep` instead, with the \
        time that a run on the live clock measured.
        """,
      parameters: [
        Parameter("command", .string, isRequired: true, summary: "the command for /bin/sh")
      ],
      steps: .none, clocks: [.live], examples: ["sh \"echo hello\"", "sh \"ls | wc -l\""])
  ) { arguments in
    let command = try arguments.string("command")
    guard !command.utf8.contains(0) else {
      throw ArgumentError("a command cannot contain the character NUL", parameter: "command")
    }
    return .sh("sh", command)
  }
}
