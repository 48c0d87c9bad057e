import Foundation

/// Standard input, output and error, made safe before anything is opened.
enum StandardStreams {
  /// Fills the places of streams that are closed, so that no file opened later is taken for one of them.
  ///
  /// Each stands open the wrong way round: who reads or writes there still gets an error.
  static func occupyClosed() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is taken, which is this one: those below are open by now.
      _ = open("/dev/null", mode)
    }
  }

  /// Keeps standard output for the caller alone: whatever else prints there, such as a plugin, prints to
  /// standard error from now on.
  ///
  /// - Returns: where standard output goes.
  static func reserveOutput() -> FileHandle {
    let kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard kept >= 0 else { return .standardOutput }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return FileHandle(fileDescriptor: kept, closeOnDealloc: false)
  }
}
