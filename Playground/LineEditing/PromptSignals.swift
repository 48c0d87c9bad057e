import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Handles signals for the prompt or for a script. A separate queue receives them and delivers them to the main queue.
/// Even while the main thread is blocked, Ctrl-C cancels the running work, and a terminating signal ends the program.
///
/// A signal handler writes the signal's number into a pipe. A Dispatch signal source would need less code. On Linux,
/// however, it leaves the signal blocked in threads that start child processes. The children inherit that and cannot be
/// interrupted.
///
/// There is one instance in a process. It listens until the program ends, since work after the prompt may take a while.
@MainActor
public final class PromptSignals {
  /// The signals that ask the program to end.
  nonisolated static let ending: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private var previous: [Int32: Disposition?] = [:]
  private let source: any DispatchSourceRead

  /// Nil stands for `SIG_DFL`.
  private typealias Disposition = @convention(c) (Int32) -> Void

  /// Handles SIGINT, and those of SIGTERM, SIGHUP and SIGQUIT that were not ignored when the program started.
  ///
  /// - Parameters:
  ///   - respond: called for these signals, on the signal queue. It must not delay the handling of the next signal. For
  ///     SIGINT, it returns whether there was anything to cancel. For each other signal, it must cause the program to
  ///     end; see ``endProgram(by:)``.
  ///   - receive: called for each signal, on the main queue, with the result of `respond`.
  public init?(
    respond: @escaping @Sendable (Int32) -> Bool,
    receive: @escaping @MainActor (Int32, Bool) -> Void
  ) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    source = makeSource(readEnd, respond, receive)
    source.activate()
    signalPipe.store(writeEnd, ordering: .sequentiallyConsistent)
    handle([SIGINT], evenIfIgnored: true)
    handle(Self.ending)
  }

  /// Handles `signals`. Signals that were ignored when the program started stay ignored, unless `evenIfIgnored` is
  /// true.
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

  /// Restores the terminal and ends the program in the same way as an unhandled signal.
  public nonisolated static func endProgram(by number: Int32) -> Never {
    HeldTerminal.giveBack()
    signal(number, SIG_DFL)
    // The threads of Dispatch block signals. Unblocked on this thread, the signal ends the program before `raise`
    // returns.
    var own = sigset_t()
    sigemptyset(&own)
    sigaddset(&own, number)
    pthread_sigmask(SIG_UNBLOCK, &own, nil)
    raise(number)
    // A signal that the first process of a container sends to itself does not end it.
    _exit(128 + number)
  }

  /// Restores the previous handlers of `signals`.
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

// Created outside the main actor, since Dispatch calls the handler on a queue of its own.
private func makeSource(
  _ descriptor: Int32, _ respond: @escaping @Sendable (Int32) -> Bool,
  _ receive: @escaping @MainActor (Int32, Bool) -> Void
) -> any DispatchSourceRead {
  let queue = DispatchQueue(label: "signals")
  let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
  source.setEventHandler {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    for byte in bytes.prefix(max(0, count)) {
      let number = Int32(byte)
      let isHandled = PromptSignals.ending.contains(number) && respond(number)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { receive(number, isHandled) }
      }
    }
  }
  return source
}
