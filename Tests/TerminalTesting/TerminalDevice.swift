import Glibc

/// Opens a new pseudo-terminal. Returns the descriptor of the user's side and the name of the program's side.
///
/// The descriptor is close-on-exec from the start: a program that another test starts at the same time must not keep it
/// open. (Swift does not see posix_openpt and related functions.)
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

// Macros that Swift cannot import: TIOCSPTLCK, TIOCGPTN.
private let setLock: UInt = 0x4004_5431
private let getNumber: UInt = 0x8004_5430
