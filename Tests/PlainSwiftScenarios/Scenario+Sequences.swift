import AsyncSimulation

extension Scenario {
  static let sequences = [
    Scenario("operators of sequences keep the order") {
      let numbers = AsyncStream<Int> { continuation in
        for number in 1...6 { continuation.yield(number) }
        continuation.finish()
      }
      let result = numbers.filter { $0.isMultiple(of: 2) }
        .map { number in
          await Task.yield()
          return number * 10
        }
        .prefix(2)
      try check(await result.reduce(into: []) { $0.append($1) } == [20, 40])
    },
    Scenario(
      "two sequences are merged in any order that keeps both",
      outcomes: ["1 2 a b", "1 a 2 b", "1 a b 2", "a 1 2 b", "a 1 b 2", "a b 1 2"]
    ) {
      let merged = merge(elements(["1", "2"]), elements(["a", "b"]))
      return await merged.reduce(into: []) { $0.append($1) }.joined(separator: " ")
    },
    Scenario("the clock decides how sequences with pauses are merged") {
      let merged = merge(
        elements(["a", "b"], every: .seconds(2)), elements(["1", "2", "3"], every: .seconds(3)))
      try check(
        await merged.reduce(into: []) { $0.append($1) } == ["a", "1", "b", "2", "3"])
    },
    Scenario("the pairs of two sequences are in order") {
      var (left, right) = (
        elements(["1", "2", "3"]).makeAsyncIterator(), elements(["a", "b"]).makeAsyncIterator()
      )
      var pairs: [String] = []
      while let first = await left.next(isolation: nil),
        let second = await right.next(isolation: nil)
      {
        pairs.append(first + second)
      }
      try check(pairs == ["1a", "2b"])
    },
  ]

  private static func elements(
    _ elements: [String], every pause: Duration? = nil
  ) -> AsyncStream<String> {
    AsyncStream { continuation in
      let producer = Task {
        for element in elements {
          if let pause {
            try await Task.sleep(for: pause)
          } else {
            await Task.yield()
          }
          continuation.yield(element)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in producer.cancel() }
    }
  }

  private static func merge(
    _ first: AsyncStream<String>, _ second: AsyncStream<String>
  ) -> AsyncStream<String> {
    AsyncStream { continuation in
      let reader = Task {
        await withTaskGroup(of: Void.self) { group in
          for source in [first, second] {
            group.addTask { for await element in source { continuation.yield(element) } }
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in reader.cancel() }
    }
  }
}
