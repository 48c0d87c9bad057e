internal import CSwiftTasks

/// Records what the tasks of a process do, as it happens.
///
/// The last records of each thread lie in a part of the file that is mapped into memory. So they
/// remain even if the process is killed.
public enum TaskRecording {
  /// Starts to record to a new file.
  ///
  /// - Parameter limit: the maximum number of blocks, of 64 KiB each; later records are lost.
  /// - Returns: false if the file cannot be made.
  public static func start(path: String, limit: UInt64 = 25_000) -> Bool {
    install()
    return swift_tasks_startRecording(path, limit)
  }

  /// Records that the program exits now. Records that follow are part of the exit.
  ///
  /// - Parameter code: the exit code.
  public static func noteExit(code: Int32) { swift_tasks_recordExit(code) }
}
