import Foundation
import Synchronization

#if os(Linux)
  /// The thread that has crashed last. ``note()`` and ``block()`` can be called in a signal handler.
  struct CrashedThread {
    let isMain: Bool
    /// Its return addresses, the innermost first, without those of the signal handler.
    let addresses: [UInt]

    private static let limit = 64
    private static let buffer = Atomic<UInt>(0)
    private static let count = Atomic<Int>(0)
    private static let thread = Atomic<UInt>(0)
    private static let main = Atomic<UInt>(0)
    /// The addresses on the stack that belong to the handler: this function, the handler, and the return from it.
    private static let handlerFrames = 3

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
    static func note() {
      let place = buffer.load(ordering: .sequentiallyConsistent)
      let symbol = UnsafeRawPointer(bitPattern: function.load(ordering: .sequentiallyConsistent))
      guard let symbol,
        let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>(bitPattern: place)
      else { return }
      let found = unsafeBitCast(symbol, to: Backtrace.self)(addresses, Int32(limit))
      count.store(Int(found), ordering: .sequentiallyConsistent)
      thread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
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
      guard found > handlerFrames,
        let addresses = UnsafeMutablePointer<UnsafeMutableRawPointer?>(bitPattern: place)
      else { return nil }
      let thread = thread.load(ordering: .sequentiallyConsistent)
      return CrashedThread(
        isMain: thread == main.load(ordering: .sequentiallyConsistent),
        addresses: (handlerFrames..<found).map { UInt(bitPattern: addresses[$0]) })
    }
  }
#endif
