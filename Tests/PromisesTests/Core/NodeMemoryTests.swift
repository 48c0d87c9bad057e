import Testing

@testable import Promises

/// The memory that the objects of promises take, and for how long.
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

  @Test func `a promise with very many handlers still forgets cancelled ones`() {
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(on: .inline)
    let kept = (0..<140_000).map { _ in promise.map { $0 } }
    var cancelled: [WeakNode] = []
    for _ in 0..<70_000 {
      let link = promise.map { $0 }
      cancelled.append(WeakNode(link.storage))
      link.cancel()
    }
    #expect(cancelled.count { $0.isAlive } < Int(UInt16.max))
    resolver.fulfill(1)
    #expect(kept.last?.fulfilled == 1)
  }

  /// The allocator of Linux frees memory of up to 120 bytes without a lock.
  @Test func `the objects of a chain are small enough to be freed without a lock`() {
    let token = Cancellation()
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(
      on: .pool, cancellation: token)
    let chain = promise.map { $0 }.then { Promise.fulfilled($0) }
    let all = Promise.all([promise, promise])
    let moved = promise.on(.main)
    var nodes = [promise.storage, chain.storage, all.storage, moved.storage] as [PromiseNode]
    nodes += nodes.flatMap(\.dependents)
    let kinds = Set(nodes.map { "\(type(of: $0))".prefix { $0 != "<" } })
    #expect(
      kinds == [
        "RootStorage", "Link", "FollowedStorage", "PassedStorage", "FollowerLink",
        "CancellationWatch",
      ])
    for node in nodes { #expect(instanceSize(type(of: node)) <= 120, "\(type(of: node))") }
    #expect(instanceSize(PromiseContext.self) <= 120)
    resolver.fulfill(1)
  }
}

/// The bytes that Swift requests for an instance.
/// The block that the allocator hands out may be larger, by chance.
@_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
private func instanceSize(_ type: AnyClass) -> Int

extension PromiseNode {
  fileprivate var dependents: [PromiseNode] {
    var list = Self.reference(state.load(ordering: .acquiring))
    var nodes: [PromiseNode] = []
    while let node = list?.takeUnretainedValue() {
      nodes.append(node)
      list = node.next
    }
    return nodes
  }
}
