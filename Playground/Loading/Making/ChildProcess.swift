import AsyncPatterns
import Foundation

/// A child process in a session of its own. A separate thread reads its output and waits for its end. Every process
/// that the child started ends with it. Cancelling the task that awaits it kills the child.
final class ChildProcess: Sendable {
  enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// It wrote nothing for longer than the limit, and was killed.
    case silent
  }

  struct Outcome: Sendable {
    var end: End
    /// The bytes of standard output.
    var output: [UInt8]
    /// The last bytes of standard error, at most 64 KB.
    var errors: [UInt8]
  }

  private struct State {
    var pid: pid_t
    var isFinished = false
  }

  private let state: Locked<State>
  private let output: Int32
  private let errors: Int32

  /// Runs an executable and waits until it ends.
  ///
  /// - Parameters:
  ///   - mergingErrors: whether standard error is merged into standard output, in order.
  ///   - silence: how long the child may write nothing to standard output; nil for no limit.
  /// - Throws: `SpawnError`, or `CancellationError` once the cancelled child has ended. The end of the program cancels
  ///   the child as well.
  static func run(
    _ executable: String, _ arguments: [String], environment: [String: String],
    mergingErrors: Bool = false, silence: Duration? = nil
  ) async throws -> Outcome {
    try checkCancellation()
    let child = try ChildProcess(
      executable, arguments, environment: environment, mergingErrors: mergingErrors)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: child.wait(silence: silence)) }
      }
    } onCancel: {
      child.kill()
    }
    try checkCancellation()
    return outcome
  }

  private static func checkCancellation() throws {
    try Task.checkCancellation()
    if LoaderRemains.hasEnded { throw CancellationError() }
  }

  struct SpawnError: Error {
    var code: Int32
    var text: String { String(cString: strerror(code)) }
  }

  private init(
    _ executable: String, _ arguments: [String], environment: [String: String],
    mergingErrors: Bool
  ) throws(SpawnError) {
    let out = try Self.pipe()
    var err: (reading: Int32, writing: Int32) = (-1, -1)
    if !mergingErrors {
      do { err = try Self.pipe() } catch {
        close(out.reading)
        close(out.writing)
        throw error
      }
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, out.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, mergingErrors ? out.writing : err.writing, 2)

    // This program may block or ignore signals that the child must receive.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // The compiler driver gives each of its children a process group. Only the session contains all of them.
    posix_spawnattr_setflags(
      &attributes,
      Int16(Self.startsSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var argv: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) }
    argv.append(nil)
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    envp.append(nil)
    defer { for text in argv + envp { free(text) } }

    var code = ECANCELED
    let pid = LoaderRemains.startSession {
      var pid = pid_t()
      code = posix_spawn(&pid, executable, &actions, &attributes, argv, envp)
      return code == 0 ? pid : nil
    }
    close(out.writing)
    if !mergingErrors { close(err.writing) }
    guard let pid else {
      close(out.reading)
      if !mergingErrors { close(err.reading) }
      throw SpawnError(code: code)
    }
    state = Locked(State(pid: pid))
    output = out.reading
    errors = err.reading
  }

  /// `POSIX_SPAWN_SETSID`, which the C library declares only if its own extensions are enabled.
  private static let startsSession: Int32 = 0x80

  private static func pipe() throws(SpawnError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SpawnError(code: errno) }
    // Another thread may start a child before these calls take effect. That child keeps the output open, but `wait`
    // notices within one poll that our child has ended.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Kills the child; `wait` kills the processes that it leaves behind. The process ID stays in use until the child is
  /// reaped, so the signal cannot reach another process.
  private func kill() {
    state.withLock {
      guard !$0.isFinished else { return }
      killpg($0.pid, SIGKILL)
    }
  }

  /// Kills the processes in a session until all have ended. Tries at most 100 times. The leader must not have been
  /// reaped.
  static func killSession(_ session: pid_t) {
    for _ in 0..<100 {
      let left = Files.names(in: "/proc").compactMap { pid_t($0) }.filter {
        getsid($0) == session && !isZombie($0)
      }
      if left.isEmpty { return }
      for pid in left { _ = Glibc.kill(pid, SIGKILL) }
      usleep(1000)
    }
  }

  /// Whether a process has ended but its parent has not reaped it yet.
  private static func isZombie(_ pid: pid_t) -> Bool {
    guard let status = Files.read("/proc/\(pid)/stat") else { return true }
    let fields = String(decoding: status, as: UTF8.self)
    // The name before the state may contain any character, including parentheses.
    guard let end = fields.lastIndex(of: ")") else { return true }
    return fields[end...].dropFirst(2).first == "Z"
  }

  private func wait(silence: Duration?) -> Outcome {
    let pid = state.withLock { $0.pid }
    var outputBytes: [UInt8] = []
    var errorBytes: [UInt8] = []
    var isSilent = false
    var lastHeard = ContinuousClock.now
    var open = [output, errors].filter { $0 >= 0 }
    while !open.isEmpty {
      var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // The timeout notices that the child has ended while a grandchild still holds its output open.
      let ready = poll(&polled, nfds_t(polled.count), 100)
      for entry in polled where entry.revents != 0 {
        guard let bytes = Self.read(entry.fd) else {
          open.removeAll { $0 == entry.fd }
          continue
        }
        if entry.fd == output {
          outputBytes += bytes
          lastHeard = .now
        } else {
          errorBytes = Array((errorBytes + bytes).suffix(1 << 16))
        }
      }
      if ready == 0, Self.hasEnded(pid, waiting: false) { break }
      if let silence, !isSilent, ContinuousClock.now - lastHeard > silence {
        isSilent = true
        kill()
      }
    }
    _ = Self.hasEnded(pid, waiting: true)
    Self.killSession(pid)
    LoaderRemains.removeSession(pid)
    var status: Int32 = 0
    state.withLock {
      waitpid(pid, &status, 0)
      $0.isFinished = true
    }
    close(output)
    if errors >= 0 { close(errors) }
    let signal = status & 0x7f
    let end: End =
      isSilent ? .silent : signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    return Outcome(end: end, output: outputBytes, errors: errorBytes)
  }

  /// Returns nil at the end of the stream.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Whether the child has ended. Does not reap it.
  private static func hasEnded(_ pid: pid_t, waiting: Bool) -> Bool {
    var information = siginfo_t()
    let options = WEXITED | WNOWAIT | (waiting ? 0 : WNOHANG)
    while waitid(P_PID, id_t(pid), &information, options) != 0 {
      if errno != EINTR { return true }
    }
    return information.si_signo != 0
  }
}
