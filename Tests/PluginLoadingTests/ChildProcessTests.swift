import Foundation
import Testing

@testable import PluginLoading

struct ChildProcessTests {
  private func run(
    _ script: String, merging: Bool = false, silence: Duration? = nil
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin", "A": "b c"],
      mergingErrors: merging, silence: silence)
  }

  @Test func `output, errors, environment and exit code are returned`() async throws {
    let outcome = try await run("echo \"$A\"; echo no >&2; exit 3")
    #expect(outcome.end == .exited(3))
    #expect(String(decoding: outcome.output, as: UTF8.self) == "b c\n")
    #expect(String(decoding: outcome.errors, as: UTF8.self) == "no\n")
  }

  @Test func `errors can be merged in order`() async throws {
    let outcome = try await run("echo 1; echo 2 >&2; echo 3", merging: true)
    #expect(String(decoding: outcome.output, as: UTF8.self) == "1\n2\n3\n")
  }

  @Test func `a megabyte does not fill the pipe, and the end of the errors is kept`() async throws {
    let outcome = try await run(
      "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; echo end >&2")
    #expect(outcome.output.count == 1_000_000)
    #expect(outcome.errors.count == 1 << 16)
    #expect(outcome.errors.suffix(4) == Array("end\n".utf8)[...])
  }

  @Test func `a signal is reported`() async throws {
    #expect(try await run("kill -SEGV $$").end == .signalled(SIGSEGV))
  }

  @Test func `a child that stays silent beyond the limit is ended`() async throws {
    let outcome = try await run("echo once; sleep 600", silence: .milliseconds(50))
    #expect(outcome.end == .silent)
    #expect(String(decoding: outcome.output, as: UTF8.self) == "once\n")
  }

  @Test func `what a child has started ends with it`() async throws {
    let folder = try TemporaryFolder()
    let fifo = folder.path + "/fifo"
    try #require(mkfifo(fifo, 0o600) == 0)
    let reader = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    #expect(try await run("exec 9> \(fifo); sleep 600 & exit 0").end == .exited(0))
    // No process still has the pipe open for writing.
    var polled = pollfd(fd: reader, events: 0, revents: 0)
    let count = poll(&polled, 1, 0)
    #expect(count == 1 && polled.revents & Int16(POLLHUP) != 0)
  }

  @Test func `a child that cannot be started fails with the reason`() async {
    let error = await #expect(throws: ChildProcess.SpawnError.self) {
      try await ChildProcess.run("/no/such", [], environment: [:])
    }
    #expect(error?.code == ENOENT)
  }

  @Test(.timeLimit(.minutes(1)))
  func `cancelling kills a child that is in its own process group and ignores signals`()
    async throws
  {
    let folder = try TemporaryFolder()
    let fifo = folder.path + "/fifo"
    try #require(mkfifo(fifo, 0o600) == 0)
    let task = Task {
      // In a shell with job control, a job gets its own process group. The job keeps the pipe open.
      try await run(
        "set -m; (trap '' TERM INT HUP; exec > \(fifo); echo here; sleep 300; sleep 300) & wait")
    }
    let stream = try await Task.detached { try #require(FileHandle(forReadingAtPath: fifo)) }.value
    #expect(await Task.detached { stream.availableData }.value == Data("here\n".utf8))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The end of the pipe: no process still has it open.
    #expect(await Task.detached { stream.availableData }.value.isEmpty)
  }
}
