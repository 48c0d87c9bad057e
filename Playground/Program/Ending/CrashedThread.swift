import Foundation
import Synchronization

#if os(Linux)
  /// The thread that has crashed last. ``note(_:)`` and ``block()`` can be called in a signal handler. One thread at a
  /// time may call ``note(_:)``.
  struct CrashedThread {
    let isMain: Bool
    /// Its return addresses, the innermost first. The first one is that of the instruction that crashed, plus 1.
    let addresses: [UInt]

    private static let limit = 64
    private static let buffer = Atomic<UInt>(0)
    private static let count = Atomic<Int>(0)
    private static let thread = Atomic<UInt>(0)
    private static let main = Atomic<UInt>(0)
    private static let instruction = Atomic<UInt>(0)

    private typealias Backtrace =
      @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
    private static let function = Atomic<UInt>(0)

    /// Loads now what a signal handler must not load. Call it on the main thread.
    static func prepare() {
      main.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
      let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: limit)
      addresses.initialize(repeating: nil, count: limit)
      guard let symbol = dlsym(nil, "backtrace") else { return }
      function.store(UInt(bitPattern: symbol), ordering: .sequentiallyConsistent)
      // The first call loads the library that unwinds the stack.
      _ = unsafeBitCast(symbol, to: Backtrace.self)(addresses, 1)
      buffer.store(UInt(bitPattern: addresses), ordering: .sequentiallyConsistent)
    }

    /// Notes the calling thread.
    ///
    /// - Parameter context: what the signal handler was given about the moment of the crash.
    static func note(_ context: UnsafeMutableRawPointer?) {
      count.store(0, ordering: .sequentiallyConsistent)
      instruction.store(instruction(of: context), ordering: .sequentiallyConsistent)
      let place = buffer.load(ordering: .sequentiallyConsistent)
      let symbol = UnsafeRawPointer(bitPattern: function.load(ordering: .sequentiallyConsistent))
      guard let symbol,
        let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>(bitPattern: place)
      else { return }
      let found = unsafeBitCast(symbol, to: Backtrace.self)(addresses, Int32(limit))
      count.store(Int(found), ordering: .sequentiallyConsistent)
      thread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
    }

    /// The address of the instruction that crashed. Zero if it cannot be read.
    private static func instruction(of context: UnsafeMutableRawPointer?) -> UInt {
      guard let context = context?.assumingMemoryBound(to: ucontext_t.self) else { return 0 }
      #if arch(x86_64)
        return UInt(truncatingIfNeeded: context.pointee.uc_mcontext.gregs.16)
      #elseif arch(arm64)
        return UInt(context.pointee.uc_mcontext.pc)
      #else
        return 0
      #endif
    }

    /// Blocks the calling thread forever. No signal reaches it.
    static func block() -> Never {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      while true { pause() }
    }

    static var last: CrashedThread? {
      let place = buffer.load(ordering: .sequentiallyConsistent)
      let found = count.load(ordering: .sequentiallyConsistent)
      guard found > 0,
        let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>(bitPattern: place)
      else { return nil }
      let thread = thread.load(ordering: .sequentiallyConsistent)
      let instruction = instruction.load(ordering: .sequentiallyConsistent)
      // The handler's own functions come before the instruction. Their number depends on what was inlined.
      let callers = (0..<found).map { UInt(bitPattern: addresses[$0]) }
        .drop { $0 != instruction }.dropFirst()
      return CrashedThread(
        isMain: thread == main.load(ordering: .sequentiallyConsistent),
        addresses: [instruction + 1] + callers)
    }
  }
#endif
