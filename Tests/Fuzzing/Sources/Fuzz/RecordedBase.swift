import Foundation
import SwiftTasks

#if canImport(Glibc)
  import Glibc
#endif

/// The recording of a small program of plain Swift: tasks, a group, an actor, sleeps and a failure.
struct RecordedBase {
  static let childWord = "--record"
  static let shared = RecordedBase()

  private static let pageSize = 4_096
  private let descriptor: Int32
  private let count: Int
  /// The offsets of the pages that are not empty.
  private let pages: [Int]

  /// Records another process of this program, and opens the file.
  private init() {
    let path = NSTemporaryDirectory() + "/fuzz-\(getpid()).recording"
    defer { unlink(path) }
    Self.spawn([CommandLine.arguments[0], Self.childWord, path])
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    check(descriptor >= 0, "the recording cannot be opened: \(String(cString: strerror(errno)))")
    var status = stat()
    fstat(descriptor, &status)
    count = Int(status.st_size)
    check(count > 0, "the recording is empty")
    pages = Self.withCopy(of: descriptor, count) { file in
      let empty = [UInt8](repeating: 0, count: Self.pageSize)
      return stride(from: 0, to: file.count, by: Self.pageSize).filter { start in
        memcmp(file.baseAddress! + start, empty, min(Self.pageSize, file.count - start)) != 0
      }
    }
  }

  /// Runs another process of this program to its end. Foundation's `Process` would leave memory that looks leaked.
  private static func spawn(_ words: [String]) {
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    var status: Int32 = 0
    let code = posix_spawn(&process, "/proc/self/exe", nil, nil, &arguments, nil)
    check(code == 0, "the program cannot be recorded: \(String(cString: strerror(code)))")
    waitpid(process, &status, 0)
    check(status == 0, "the recorded program ended with the status \(status)")
  }

  /// The offset that two numbers of an input stand for. It is in a page that is not empty.
  func place(_ number: Int, _ offset: UInt8) -> Int {
    let page = pages[(number >> 4) % pages.count]
    return page + ((number & 15) << 8) + Int(offset)
  }

  /// Calls `body` with a copy of the file, which it may change.
  func withCopy(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    Self.withCopy(of: descriptor, count, body)
  }

  private static func withCopy<Result>(
    of descriptor: Int32, _ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0)
    guard let start, start != MAP_FAILED else { fatalError("the recording cannot be mapped") }
    defer { munmap(start, count) }
    return body(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  /// Runs the small program, and records it to a file. Ends the process.
  static func record(to path: String) -> Never {
    guard TaskRecording.start(path: path) else { exit(1) }
    Task {
      await SmallProgram.run()
      // The memory of this process is not checked for leaks.
      _exit(0)
    }
    dispatchMain()
  }
}

private struct Broken: Error {}

private actor Counter {
  private var count = 0

  func add() async {
    count += 1
    await Task.yield()
  }
}

private enum SmallProgram {
  static func run() async {
    let counter = Counter()
    await withTaskGroup { group in
      for index in 0..<8 {
        group.addTask(name: "part \(index)") {
          await counter.add()
          try? await Task.sleep(for: .microseconds(index))
        }
      }
    }
    let failing = Task { throw Broken() }
    _ = await failing.result
    let sleeping = Task { try await Task.sleep(for: .seconds(60)) }
    sleeping.cancel()
    _ = await sleeping.result
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    async let sum = stream.reduce(0, +)
    for index in 0..<20 { continuation.yield(index) }
    continuation.finish()
    await MainActor.run {}
    _ = await sum
  }
}
