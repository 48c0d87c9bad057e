import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Signals of the prompt or of a script, heard on a queue of their own and delivered on the main queue: whatever
/// holds that, Ctrl-C calls off what goes on, and what is to end the program ends it.
///
/// A handler writes the signal's number into a pipe. (A Dispatch signal source would do the same
/// with less code, but on Linux it leaves the signal blocked in threads that start child processes,
/// and they inherit that: such a child cannot be interrupted. And a thread that blocks it raises it for itself
/// again, where nobody reads it.) There is one at a time.
@MainActor
public final class PromptSignals {
  /// What ends the program; never delivered.
  public nonisolated static let ending: [Int32] = [SIGTERM, SIGHUP]

  private var previous: [Int32: Disposition?] = [:]
  private let source: any DispatchSourceRead
  private let delivery: Delivery

  /// `SIG_DFL` is nil.
  private typealias Disposition = @convention(c) (Int32) -> Void

  /// - Parameters:
  ///   - callOff: called for SIGINT, on the queue of the signals; whether there was anything to call off.
  ///   - terminate: called for those of ``ending``, on the queue of the signals; whether the program is to end at
  ///     once, as if nobody had heard the signal.
  ///   - receive: called for each other signal, on the main queue, with what `callOff` said.
  public init?(
    callOff: @escaping @Sendable () -> Bool, terminate: @escaping @Sendable (Int32) -> Bool,
    receive: @escaping @MainActor (Int32, Bool) -> Void
  ) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    delivery = Delivery(receive)
    source = makeSource(readEnd, callOff, terminate, delivery)
    source.setCancelHandler(handler: closing(readEnd, writeEnd))
    source.activate()
    signalPipe.store(writeEnd, ordering: .sequentiallyConsistent)
  }

  /// Catches `signals`; those that the program was started to ignore stay ignored.
  public func handle(_ signals: [Int32], evenIfIgnored: Bool = false) {
    for number in signals where previous[number] == nil {
      let old = signal(number, signalArrived)
      if !evenIfIgnored, unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      } else {
        previous[number] = old
      }
    }
  }

  /// Ends the program as a signal does that nobody hears.
  public nonisolated static func endProgram(by number: Int32) {
    restoreTerminalAtExit()
    signal(number, SIG_DFL)
    kill(getpid(), number)
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
    // What has been heard by now comes too late.
    delivery.receive = { _, _ in }
  }

  /// To whom signals are delivered.
  @MainActor
  fileprivate final class Delivery {
    var receive: (Int32, Bool) -> Void

    init(_ receive: @escaping (Int32, Bool) -> Void) { self.receive = receive }
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
  _ descriptor: Int32, _ callOff: @escaping @Sendable () -> Bool,
  _ terminate: @escaping @Sendable (Int32) -> Bool, _ delivery: PromptSignals.Delivery
) -> any DispatchSourceRead {
  let queue = DispatchQueue(label: "signals")
  let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
  source.setEventHandler {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    for byte in bytes.prefix(max(0, count)) {
      let number = Int32(byte)
      if PromptSignals.ending.contains(number) {
        if terminate(number) { PromptSignals.endProgram(by: number) }
        continue
      }
      let isCalledOff = number == SIGINT && callOff()
      DispatchQueue.main.async {
        MainActor.assumeIsolated { delivery.receive(number, isCalledOff) }
      }
    }
  }
  return source
}

private func closing(_ descriptors: Int32...) -> @Sendable () -> Void {
  { for descriptor in descriptors { _ = close(descriptor) } }
}
