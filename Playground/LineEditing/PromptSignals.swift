import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Signals, delivered on the main queue.
///
/// A handler writes the signal's number into a pipe. (A Dispatch signal source would do the same
/// with less code, but on Linux it leaves the signal blocked in threads that start child processes,
/// and they inherit that: such a child cannot be interrupted.)
@MainActor
final class PromptSignals {
  private var previous: [Int32: Disposition?] = [:]
  private let source: any DispatchSourceRead

  /// `SIG_DFL` is nil.
  private typealias Disposition = @convention(c) (Int32) -> Void

  init?(receive: @escaping @MainActor (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    source = makeSource(readEnd, receive)
    source.setCancelHandler(handler: closing(readEnd, writeEnd))
    source.activate()
    signalPipe.store(writeEnd, ordering: .sequentiallyConsistent)
  }

  /// Catches `signals`; those that the program was started to ignore stay ignored.
  func handle(_ signals: [Int32], evenIfIgnored: Bool = false) {
    for number in signals where previous[number] == nil {
      let old = signal(number, signalArrived)
      if !evenIfIgnored, unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      } else {
        previous[number] = old
      }
    }
  }

  /// Gives `signals` back to whoever handled them before.
  func release(_ signals: [Int32]) {
    for number in signals {
      guard let old = previous.removeValue(forKey: number) else { continue }
      signal(number, old)
    }
  }

  /// Gives every signal back and stops listening.
  func stop() {
    release(Array(previous.keys))
    signalPipe.store(-1, ordering: .sequentiallyConsistent)
    source.cancel()
  }
}

private let signalPipe = Atomic<Int32>(-1)

private func signalArrived(_ number: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
  errno = code
}

// Formed outside the main actor, since Dispatch calls the cancel handler where it likes.
private func makeSource(
  _ descriptor: Int32, _ receive: @escaping @MainActor (Int32) -> Void
) -> any DispatchSourceRead {
  let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
  source.setEventHandler {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let arrived = bytes.prefix(max(0, count))
    MainActor.assumeIsolated {
      for byte in arrived { receive(Int32(byte)) }
    }
  }
  return source
}

private func closing(_ descriptors: Int32...) -> @Sendable () -> Void {
  { for descriptor in descriptors { _ = close(descriptor) } }
}
