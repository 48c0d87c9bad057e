import Testing

@testable import AsyncRender

@Suite struct ReleaseQueueTests {
  private let studio = Studio()

  private struct Weakly: Sendable {
    weak var picture: Picture?
  }

  private func release(
    _ width: Int, _ height: Int, on queue: ReleaseQueue
  ) throws -> Locked<Weakly> {
    let picture = try drawn(width, height) { _ in }
    let held = Locked(Weakly(picture: picture))
    queue.release(picture)
    return held
  }

  @Test func `while no drawing runs, one job releases all objects that arrive before it`() throws {
    let runtime = WatchedRuntime(studio.runtime)
    let queue = ReleaseQueue(on: runtime)
    let held = try (1...3).map { try release($0, 4, on: queue) }
    #expect(held.allSatisfy { $0.withLock { $0.picture } != nil })
    studio.run()
    #expect(held.allSatisfy { $0.withLock { $0.picture } == nil })
    #expect(runtime.jobs == ["display-release"])
  }

  @Test func `a drawing that ends releases the objects that arrived meanwhile`() throws {
    let runtime = WatchedRuntime(studio.runtime)
    let queue = ReleaseQueue(on: runtime)
    queue.beginDrawing()
    queue.beginDrawing()
    let first = try release(4, 4, on: queue)
    studio.run()
    #expect(first.withLock { $0.picture } != nil)
    queue.endDrawing()
    #expect(first.withLock { $0.picture } == nil)
    let second = try release(4, 4, on: queue)
    queue.endDrawing()
    #expect(second.withLock { $0.picture } == nil && runtime.jobs.isEmpty)
    let third = try release(4, 4, on: queue)
    studio.run()
    #expect(third.withLock { $0.picture } == nil && runtime.jobs == ["display-release"])
  }

  @Test func `no more than four mebibytes wait for a drawing to end`() throws {
    let runtime = WatchedRuntime(studio.runtime)
    let queue = ReleaseQueue(on: runtime)
    queue.beginDrawing()
    let held = try (1...5).map { _ in try release(512, 512, on: queue) }
    #expect(held.allSatisfy { $0.withLock { $0.picture } != nil })
    #expect(runtime.jobs == ["display-release"])
    studio.run()
    #expect(held.allSatisfy { $0.withLock { $0.picture } == nil })
    queue.endDrawing()
  }
}
