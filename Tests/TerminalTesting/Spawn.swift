import Glibc

/// The standard streams of a child.
enum Streams {
  /// The terminal with this name. It controls the session that the child leads.
  case terminal(String)
  /// Open files.
  case files(input: Int32, output: Int32, errors: Int32)
}

/// Starts a program.
///
/// This does not use Foundation's `Process`. On Linux, the `run()` of `Process` copies each result of `readdir` as a
/// whole `dirent` and so reads beyond the entry. If the memory page ends there, the tests crash. This does not use fork
/// or forkpty either. If a program has several threads, no Swift code may run between fork and exec.
func spawn(
  _ executable: String, arguments: [String], environment: [String: String], streams: Streams
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  let group: Int32
  switch streams {
  case .terminal(let name):
    // A terminal becomes the controlling terminal of the session leader that opens it, so the child opens it.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    group = setSession
  case .files(let input, let output, let errors):
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    group = Int32(POSIX_SPAWN_SETPGROUP)
  }

  // The child must not inherit the signals that the test process ignores or blocks.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setflags(
    &attributes, Int16(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

  let words = ([executable] + arguments).map { strdup($0) } + [nil]
  let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
  defer { for string in words + variables { free(string) } }
  var process: pid_t = 0
  let code = posix_spawn(&process, executable, &actions, &attributes, words, variables)
  guard code == 0 else {
    throw SpawnError(description: "\(executable): \(String(cString: strerror(code)))")
  }
  return process
}

/// A program could not be started.
public struct SpawnError: Error, CustomStringConvertible {
  public let description: String
}

// A macro that Swift cannot import: POSIX_SPAWN_SETSID.
private let setSession: Int32 = 0x80
