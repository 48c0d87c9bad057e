import AsyncSimulation
import Observation

extension Scenario {
  static let streams = [
    Scenario("an unbounded stream keeps all elements, in order") {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let producer = Task {
        for number in 1...5 {
          continuation.yield(number)
          await Task.yield()
        }
        continuation.finish()
      }
      let received = await stream.reduce(into: []) { $0.append($1) }
      await producer.value
      try check(received == [1, 2, 3, 4, 5])
    },
    Scenario("a stream that keeps the newest elements drops older ones") {
      let (stream, continuation) = AsyncStream<Int>.makeStream(
        bufferingPolicy: .bufferingNewest(2))
      var dropped: [Int] = []
      for number in 1...4 {
        if case .dropped(let element) = continuation.yield(number) { dropped.append(element) }
      }
      continuation.finish()
      try check(await stream.reduce(into: []) { $0.append($1) } == [3, 4])
      try check(dropped == [1, 2])
    },
    Scenario("a stream that keeps the oldest elements drops newer ones") {
      let (stream, continuation) = AsyncStream<Int>.makeStream(
        bufferingPolicy: .bufferingOldest(2))
      var dropped: [Int] = []
      for number in 1...4 {
        if case .dropped(let element) = continuation.yield(number) { dropped.append(element) }
      }
      continuation.finish()
      try check(await stream.reduce(into: []) { $0.append($1) } == [1, 2])
      try check(dropped == [3, 4])
    },
    Scenario(
      "a reader that is slow may miss elements",
      outcomes: ["3", "2 3", "1 2 3"]
    ) {
      let (stream, continuation) = AsyncStream<Int>.makeStream(
        bufferingPolicy: .bufferingNewest(1))
      async let received = stream.reduce(into: []) { $0.append("\($1)") }
      for number in 1...3 {
        continuation.yield(number)
        await Task.yield()
      }
      continuation.finish()
      return await received.joined(separator: " ")
    },
    Scenario("a stream notifies its producer how it ended") {
      let journal = Journal()
      let (finished, continuation) = AsyncStream<Int>.makeStream()
      continuation.onTermination = { journal.note("\($0)") }
      continuation.finish()
      for await _ in finished {}
      let (cancelled, other) = AsyncStream<Int>.makeStream()
      other.onTermination = { journal.note("\($0)") }
      let reader = Task { for await _ in cancelled {} }
      await Task.yield()
      reader.cancel()
      await reader.value
      try check(journal.entries == ["finished", "cancelled"], journal.text)
      guard case .terminated = other.yield(1) else {
        return try check(false, "a stream took an element after its end")
      }
    },
    Scenario("a stream with an error gives the elements before it") {
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      let producer = Task {
        continuation.yield(1)
        await Task.yield()
        continuation.yield(2)
        continuation.finish(throwing: Failure(name: "producer"))
      }
      var received: [Int] = []
      do {
        for try await number in stream { received.append(number) }
        try check(false, "the stream threw nothing")
      } catch let failure as Failure {
        try check(failure.name == "producer")
      }
      await producer.value
      try check(received == [1, 2])
    },
    Scenario("a stream that is pulled makes an element for each request") {
      let source = Locked(0)
      let stream = AsyncStream<Int> {
        await Task.yield()
        return source.withLock { count in
          count += 1
          return count <= 3 ? count : nil
        }
      }
      try check(await stream.reduce(0, +) == 6)
    },
    Scenario("two producers of one stream each keep their order") {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let producers = Task {
        await withTaskGroup(of: Void.self) { group in
          for start in [10, 20] {
            group.addTask {
              for number in start..<(start + 3) {
                continuation.yield(number)
                await Task.yield()
              }
            }
          }
        }
        continuation.finish()
      }
      let received = await stream.reduce(into: []) { $0.append($1) }
      await producers.value
      try check(received.filter { $0 < 20 } == [10, 11, 12])
      try check(received.filter { $0 >= 20 } == [20, 21, 22])
    },
    Scenario("two readers of one stream share its elements") {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      let received = Locked<[Int]>([])
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...2 {
          group.addTask {
            for await number in stream { received.withLock { $0.append(number) } }
          }
        }
        for number in 1...4 {
          continuation.yield(number)
          await Task.yield()
        }
        continuation.finish()
      }
      try check(received.withLock { $0.sorted() } == [1, 2, 3, 4])
    },
    Scenario("the last change of an observed object is seen", outcomes: nil) {
      let model = await MainActor.run { Thermometer() }
      let reader = Task { @MainActor in
        var seen: [Int] = []
        for await degrees in Observations({ model.degrees }) {
          seen.append(degrees)
          if degrees == 3 { break }
        }
        return seen
      }
      for degrees in 1...3 {
        await MainActor.run { model.degrees = degrees }
        await Task.yield()
      }
      let seen = await reader.value
      try check(seen == seen.sorted(), "\(seen)")
      return "\(seen)"
    },
  ]
}

@MainActor @Observable private final class Thermometer {
  var degrees = 0
}
