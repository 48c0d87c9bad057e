// The variable “stdout” of C is not annotated. The program only reads it.
@preconcurrency import Foundation

/// Makes standard input, output and error safe before any file is opened.
enum StandardStreams {
  /// Opens `/dev/null` in place of closed streams, so that no file that is opened later takes their place.
  ///
  /// Each is opened for the wrong direction, so code that reads or writes there still gets an error.
  static func occupyClosed() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) == -1 {
      // `open` takes the lowest free descriptor, which is this one: the lower ones are open by now.
      _ = open("/dev/null", mode)
    }
  }

  /// Makes each line that typed or loaded code prints appear immediately, so that it comes before later output of the
  /// program. By default, C's library keeps the output for a pipe until a buffer is full.
  static func printByLines() { setvbuf(stdout, nil, _IOLBF, 0) }

  /// Reserves standard output for the caller. From now on, the output of any other code, such as a plugin, goes to
  /// standard error.
  ///
  /// - Returns: the original standard output.
  static func reserveOutput() -> FileHandle {
    let kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard kept >= 0 else { return .standardOutput }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return FileHandle(fileDescriptor: kept, closeOnDealloc: false)
  }
}
