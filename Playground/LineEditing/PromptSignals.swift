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
/// again, where nobody reads it.) There is one in a process, and it listens until the program ends: what is done after
/// the prompt may take its time.
@MainActor
public final class PromptSignals {
  /// What ends the program; never delivered.
  public nonisolated static let ending: [Int32] = [SIGTERM, SIGHUP]

  private var previous: [Int32: Disposition?] = [:]
  private let source: any DispatchSourceRead

  /// `SIG_DFL` is nil.
  private typealias Disposition = @convention(c) (Int32) -> Void

  /// - Parameters:
  ///   - callOff: called for SIGINT, on the queue of the signals; whether there was anything to call off.
  ///   - terminate: called for those of ``ending``, on the queue of the signals: it is to see to it that the program ends,
  ///     see ``endProgram(by:)``, and not to keep the next signal from being heard.
  ///   - receive: called for each other signal, on the main queue, with what `callOff` said.
  public init?(
    callOff: @escaping @Sendable () -> Bool, terminate: @escaping @Sendable (Int32) -> Void,
    receive: @escaping @MainActor (Int32, Bool) -> Void
  ) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    source = makeSource(readEnd, callOff, terminate, receive)
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

  /// Ends the program as a signal does that nobody hears, with the terminal restored.
  public nonisolated static func endProgram(by number: Int32) -> Never {
    HeldTerminal.giveBack()
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // The first process of a container is not ended by its own signals.
    _exit(128 + number)
  }

  /// Gives `signals` back to whoever handled them before.
  func release(_ signals: [Int32]) {
    for number in signals {
      guard let old = previous.removeValue(forKey: number) else { continue }
      signal(number, old)
    }
  }
}

private let signalPipe = Atomic<Int32>(-1)

private func signalArrived(_ number: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
  errno = code
}

// Formed outside the main actor, since Dispatch calls the handler on a queue of its own.
private func makeSource(
  _ descriptor: Int32, _ callOff: @escaping @Sendable () -> Bool,
  _ terminate: @escaping @Sendable (Int32) -> Void,
  _ receive: @escaping @MainActor (Int32, Bool) -> Void
) -> any DispatchSourceRead {
  let queue = DispatchQueue(label: "signals")
  let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
  source.setEventHandler {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    for byte in bytes.prefix(max(0, count)) {
      let number = Int32(byte)
      if PromptSignals.ending.contains(number) {
        terminate(number)
        continue
      }
      let isCalledOff = number == SIGINT && callOff()
      DispatchQueue.main.async {
        MainActor.assumeIsolated { receive(number, isCalledOff) }
      }
    }
  }
  return source
}
