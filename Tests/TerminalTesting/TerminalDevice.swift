import Glibc

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

// Macros that Swift cannot import: TIOCSPTLCK, TIOCGPTN.
private let setLock: UInt = 0x4004_5431
private let getNumber: UInt = 0x8004_5430
