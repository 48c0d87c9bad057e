import Testing

@testable import Promises

#if canImport(Glibc)
  import Glibc
#endif

/// The memory that the objects of promises take, and how long.
@Suite struct NodeMemoryTests {
  private struct WeakNode {
    private weak var node: PromiseNode?
    init(_ node: PromiseNode) { self.node = node }
    var isAlive: Bool { node != nil }
  }

  @Test(arguments: [0, 1, 10, 1000])
  func `a pending promise forgets cancelled promises`(_ others: Int) {
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(on: .inline)
    let kept = (0..<others).map { _ in promise.map { $0 } }
    var cancelled: [WeakNode] = []
    for _ in 0..<10 * (others + 1) {
      let link = promise.map { $0 }
      cancelled.append(WeakNode(link.storage))
      link.cancel()
    }
    #expect(cancelled.count { $0.isAlive } <= 1 + others / 2)
    resolver.fulfill(1)
    #expect(kept.allSatisfy { $0.fulfilled == 1 })
  }

  #if canImport(Glibc)
    /// The allocator of Linux frees memory of up to 120 bytes without a lock.
    @Test func `the objects of a chain are small enough to be freed without a lock`() throws {
      let (promise, resolver) = Promise<Int, any Error>.withResolvers(on: .pool)
      let chain = promise.map { $0 }.then { Promise.fulfilled($0) }
      let all = Promise.all([promise, promise])
      for node in [promise.storage, chain.storage, all.storage] as [PromiseNode] {
        #expect(try size(of: node) <= 120, "\(type(of: node))")
      }
      #expect(try size(of: PromiseContext(.main, LiveRuntime.shared)) <= 120)
      resolver.fulfill(1)
    }

    private func size(of object: AnyObject) throws -> Int {
      // Swift's module for the C library leaves this function out.
      let symbol = try #require(dlsym(nil, "malloc_usable_size"))
      let size = unsafeBitCast(symbol, to: (@convention(c) (UnsafeRawPointer) -> Int).self)
      return size(Unmanaged.passUnretained(object).toOpaque())
    }
  #endif
}
