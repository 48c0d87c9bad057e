#if canImport(Glibc)
  import Glibc
#endif

/// The threads of the process.
enum Threads {
  /// Identifies the calling thread to the system; 0 if it has no number.
  static var current: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      0
    #endif
  }

  /// How many threads there are besides the main thread and the threads of simulations.
  static var ofOthers: Int {
    guard let folder = opendir("/proc/self/task") else { return 0 }
    defer { closedir(folder) }
    // Two entries are the folder itself and its parent, and a third one is the main thread.
    var count = -3
    while readdir(folder) != nil { count += 1 }
    return count - EventLoopThread.threadCount.load(ordering: .relaxed)
  }
}
