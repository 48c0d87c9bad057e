import AsyncPatterns
import Foundation
import Testing

@testable import SystemSteps

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite(.timeLimit(.minutes(1))) struct ShellTests {
  @Test(arguments: [
    ("echo hello", "hello"),
    ("printf 'two\\n\\n'", "two\n"),
    ("printf 'no newline'", "no newline"),
    ("true", ""),
    ("echo seen; echo unseen >&2", "seen"),
    ("ps -o pgid= -p $$ | tr -d ' ' | grep -qx $$ && echo leader", "leader"),
    ("test -t 0 || echo no terminal", "no terminal"),
  ])
  func `standard output without its last newline is the value`(
    command: String, output: String
  ) async throws {
    #expect(try await run(.sh("sh", command)).get() == .string(output))
  }

  @Test func `a command that has ended is released with its output`() async throws {
    weak var released: ShellProcess?
    do {
      let process = ShellProcess(on: LiveRuntime.shared.pool)
      released = process
      _ = try await process.run("echo hello", input: Data())
    }
    // The task that ran the command may end a little later.
    for _ in 0..<100_000 where released != nil { await Task.yield() }
    #expect(released == nil)
  }

  @Test func `output of a background child is awaited`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.makeFifo("fifo")
    // When the leader exits, it closes the named pipe. Only then does the child write.
    let command = """
      cd '\(folder.path)'; (read line < fifo; echo late) & exec 9> fifo; echo early
      """
    #expect(try await run(.sh("sh", command)).get() == .string("early\nlate"))
  }

  @Test func `the input is standard input`() async throws {
    let input = Value.string(String(repeating: "x", count: 300_000))
    let result = await run(.sh("sh", "wc -c"), input: input)
    #expect(try result.get() == .string("300001"), "with a newline at its end")
  }

  @Test(arguments: [
    (Value.string("a\nb\nc"), "3 6"), (Value.string("a\nb\nc\n"), "3 6"),
    (Value.string(""), "0 0"), (Value.none, "0 0"), (Value.integer(42), "1 3"),
    (Value.list([.string("a"), .integer(2)]), "2 4"), (Value.data(Data([0x61])), "0 1"),
  ])
  func `a text ends with a newline on standard input`(input: Value, counts: String) async throws {
    let result = await run(.sh("sh", "wc -lc | xargs"), input: input)
    #expect(try result.get() == .string(counts))
  }

  @Test func `a command need not read its input`() async throws {
    let input = Value.data(Data(repeating: 0, count: 8 << 20))
    #expect(try await run(.sh("sh", "true"), input: input).get() == .string(""))
  }

  @Test func `output that is not UTF-8 is data`() async throws {
    let result = await run(.sh("sh", "printf '\\377\\n'"))
    #expect(try result.get() == .data(Data([0xFF, 0x0A])))
  }

  @Test func `large output arrives whole`() async throws {
    let result = await run(.sh("sh", "head -c 5000000 /dev/zero | tr '\\0' x"))
    #expect(try result.get() == .string(String(repeating: "x", count: 5_000_000)))
  }

  @Test func `too large an output is a failure and ends the command`() async throws {
    let result = await run(.sh("sh", "exec cat /dev/zero"))
    #expect(reason(result)?.hasPrefix("more than 64 MB on standard output") == true)
  }

  @Test(arguments: [
    ("exit 3", "exit status 3"),
    ("echo ' why ' >&2; exit 4", "exit status 4: why"),
    ("kill -KILL $$", "killed by signal 9 (Killed)"),
    ("echo why >&2; kill -TERM $$", "killed by signal 15 (Terminated): why"),
  ])
  func `an exit status other than 0, or a signal, is a failure`(
    command: String, expected: String
  ) async {
    #expect(reason(await run(.sh("sh", command))) == expected)
  }

  @Test func `only the end of standard error is shown`() async throws {
    let command = "head -c 100000 /dev/zero | tr '\\0' x >&2; printf end >&2; exit 1"
    let told = try #require(reason(await run(.sh("sh", command))))
    #expect(told.hasPrefix("exit status 1: …xxx"))
    #expect(told.hasSuffix("xend"))
    #expect(told.count == "exit status 1: …".count + 2_000)
  }

  @Test func `a command that cannot be started is a failure`() async throws {
    let command = ": " + String(repeating: "x", count: 4 << 20)
    let told = try #require(reason(await run(.sh("sh", command))))
    #expect(told.hasPrefix("/bin/sh could not be started"))
  }
}

@Suite(.timeLimit(.minutes(1))) struct ShellCancellationTests {
  @Test(arguments: [
    // The leader waits, and TERM ends it.
    "(trap '' TERM; echo ready > fifo; while :; do sleep 0.01; done) & echo $! > pid; wait",
    // The leader exited earlier, and the child keeps its output open.
    "(trap '' TERM; echo ready > fifo; while :; do sleep 0.01; done) & echo $! > pid",
    // No process keeps the output open, and the leader also ignores TERM.
    """
    exec >/dev/null 2>&1; trap '' TERM; (echo ready > fifo; while :; do sleep 0.01; done) &
    echo $! > pid; wait
    """,
  ])
  func `cancelling kills a grandchild that ignores SIGTERM`(command: String) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.makeFifo("fifo")
    let (result, grandchild) = try await cancelled("cd '\(folder.path)'; " + command) {
      _ = try folder.read("fifo")
      return try folder.awaitNumber("pid")
    }
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(!isRunning(grandchild))
  }

  @Test func `cancelling sends SIGTERM before it kills`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.makeFifo("fifo")
    let command = """
      cd '\(folder.path)'; trap 'echo tidied > tidied; exit' TERM
      echo $$ > fifo; while :; do sleep 0.01; done
      """
    let (result, leader) = try await cancelled(command) {
      try #require(pid_t(String(decoding: folder.read("fifo"), as: UTF8.self).dropLast()))
    }
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(!isRunning(leader))
    #expect(try folder.read("tidied") == Data("tidied\n".utf8))
  }

  /// Cancels before, while and after the process is made.
  @Test(arguments: 0..<40)
  func `cancelling at any moment ends the command`(yields: Int) async {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    let run = Run(.sh("sh", "sleep 1000"), on: LiveRuntime.shared) { continuation.yield($0) }
    // This yields the thread, not the task. A task would be queued behind all other tests each time.
    for _ in 0..<(4 * yields * yields) { sched_yield() }
    run.cancel()
    for await result in results {
      #expect(throws: CancellationError.self) { try result.get() }
      break
    }
  }

  /// Runs `command`, cancels it after `isReady` has returned, and returns its result.
  private func cancelled(
    _ command: String, once isReady: () throws -> pid_t
  ) async throws -> (Result<Value, any Error>, pid_t) {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    let run = Run(.sh("sh", command), on: LiveRuntime.shared) { continuation.yield($0) }
    let pid = try isReady()
    #expect(isRunning(pid))
    run.cancel()
    for await result in results { return (result, pid) }
    throw CancellationError()
  }

  private func isRunning(_ pid: pid_t) -> Bool {
    guard kill(pid, 0) == 0 else { return false }
    return ProcessState(of: pid).map { !$0.isDead } ?? false
  }
}
