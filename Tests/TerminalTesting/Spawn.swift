import Glibc

/// Starts a program in a session of its own, whose controlling terminal is `terminal`.
///
/// Not by forkpty: between fork and exec, Swift code in a program with several threads may not run.
/// A session leader that opens a terminal gets it as its controlling one, so it is opened in the
/// child, as its standard input, by a file action.
func spawn(
  _ executable: String, arguments: [String], environment: [String: String], terminal: String
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
  posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
  posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)

  // What the tests' own process ignores or blocks is not the program's affair.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setflags(
    &attributes, Int16(setSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

  let words = ([executable] + arguments).map { strdup($0) } + [nil]
  let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
  defer { for string in words + variables { free(string) } }
  var process: pid_t = 0
  let code = posix_spawn(&process, executable, &actions, &attributes, words, variables)
  guard code == 0 else {
    throw TerminalError(description: "\(executable): \(String(cString: strerror(code)))")
  }
  return process
}

/// Opens a new pseudo-terminal; yields the side that stands for the person, and the other one's name.
///
/// Closed in child processes from the first moment: a program started at the same time by another
/// test must not hold it open. (posix_openpt and its like are not visible from Swift.)
func openPseudoTerminal() throws -> (master: Int32, name: String) {
  let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
  var locked: Int32 = 0
  var number: Int32 = 0
  guard master >= 0, ioctl(master, setLock, &locked) == 0, ioctl(master, getNumber, &number) == 0
  else {
    throw TerminalError(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
  }
  return (master, "/dev/pts/\(number)")
}

// Macros that Swift cannot import: POSIX_SPAWN_SETSID, TIOCSPTLCK, TIOCGPTN.
private let setSession: Int32 = 0x80
private let setLock: UInt = 0x4004_5431
private let getNumber: UInt = 0x8004_5430
