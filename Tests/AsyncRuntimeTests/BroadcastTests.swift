import AsyncRuntime
import PatternTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct BroadcastTests {
  private let broadcast = Broadcast<Int>()

  private func all<Element: Sendable>(_ stream: AsyncStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream { elements.append(element) }
    return elements
  }

  @Test func `every sequence of events yields all later events in order`() async {
    broadcast.send(0)
    let first = broadcast.events()
    broadcast.send(1)
    let second = broadcast.events()
    broadcast.send(2)
    broadcast.send(3)
    broadcast.finish()
    broadcast.send(4)
    #expect(await all(first) == [1, 2, 3])
    #expect(await all(second) == [2, 3])
    #expect(await all(broadcast.events()) == [])
  }

  @Test func `a sequence of states starts with the current one and keeps only the latest`() async {
    let states = broadcast.states { (10, nil) }
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == 10)
    for number in 1...5 { broadcast.send(number) }
    #expect(await iterator.next() == 5)
    broadcast.finish(with: 6)
    #expect(await iterator.next() == 6)
    #expect(await iterator.next() == nil)
  }

  @Test func `a finished broadcast yields the current state once`() async {
    broadcast.finish()
    #expect(await all(broadcast.states { (7, nil) }) == [7])
  }

  @Test func `a value with an older version is not sent`() async {
    let events = broadcast.events()
    broadcast.send(1, version: 1)
    broadcast.send(3, version: 3)
    broadcast.send(2, version: 2)
    broadcast.finish()
    #expect(await all(events) == [1, 3])
  }

  @Test func `the last value is sent even if a newer one came before`() async {
    let states = broadcast.states { (0, 0) }
    broadcast.send(1, version: 2)
    broadcast.finish(with: 2)
    broadcast.send(3, version: 3)
    #expect(await all(states) == [2])
  }

  @Test func `a newer state found by a new sequence reaches the others too`() async {
    let events = broadcast.events()
    let states = broadcast.states { (5, version: 5) }
    // The value that the new sequence found has the same version.
    broadcast.send(5, version: 5)
    broadcast.finish()
    #expect(await all(events) == [5])
    #expect(await all(states) == [5])
  }

  @Test func `releasing the broadcast ends its sequences`() async {
    var released: Broadcast<Int>? = Broadcast()
    let events = released!.events()
    released?.send(1)
    released = nil
    #expect(await all(events) == [1])
  }

  @Test func `values of several threads reach all sequences in the same order`() async {
    let sequences = (1...3).map { _ in broadcast.events() }
    onThreads(4) { [broadcast] thread in
      for number in 0..<500 { broadcast.send(thread * 1_000 + number) }
    }
    broadcast.finish()
    let first = await all(sequences[0])
    #expect(first.count == 2_000)
    #expect(first.filter { $0 < 1_000 } == Array(0..<500))
    for other in sequences.dropFirst() { #expect(await all(other) == first) }
  }

  @Test func `a consumer that is cancelled ends only its own sequence`() async {
    let (mine, other) = (broadcast.events(), broadcast.events())
    let waiting = Task { await all(mine) }
    waiting.cancel()
    #expect(await waiting.value == [])
    broadcast.send(1)
    broadcast.finish()
    #expect(await all(other) == [1])
  }
}
