internal import CSwiftTasks

/// Records what the tasks of a process do, as it happens.
///
/// The file is written in memory that the system keeps, so that what was recorded is there also if the process is killed.
public enum TaskRecording {
  /// Records to a new file from now on.
  ///
  /// - Parameter limit: how many records there may be; later ones are lost.
  /// - Returns: false if the file cannot be made.
  public static func start(path: String, limit: UInt64 = 200_000_000) -> Bool {
    install()
    return swift_tasks_startRecording(path, limit)
  }
}
