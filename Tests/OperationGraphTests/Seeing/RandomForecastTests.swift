import AsyncSimulation
import OperationGraph
import Testing

/// Compares forecasts of random graphs with a simple calculation, and with runs on the virtual clock.
@Suite struct RandomForecastTests {
  /// A graph of operations that sleep. Some take no time, and many end at the same instant.
  private struct RandomGraph {
    var graph = OperationGraph()
    var durations: [Int] = []
    var before: [[Int]] = []
    let pool = ResourcePool(["db": 2, "screen": 1, "net": 3])

    init(seed: UInt64, count: ClosedRange<Int>, hasOptions: Bool, _ stage: Stage) {
      var random = SeededGenerator(seed: seed)
      let number = Int.random(in: count, using: &random)
      let density = Int.random(in: 2...10, using: &random)
      var operations: [OperationGraph.Operation<String>] = []
      for index in 0..<number {
        let duration = Int.random(in: 0...6, using: &random)
        let own = operations.indices.filter { _ in Int.random(in: 0..<density, using: &random) == 0
        }
        var options: [OperationGraph.Option] = []
        if hasOptions {
          if Int.random(in: 0..<4, using: &random) == 0 {
            options.append(.priority([.low, .high][Int.random(in: 0...1, using: &random)]))
          }
          switch Int.random(in: 0..<8, using: &random) {
          case 0: options.append(.needs("db", Int.random(in: 1...2, using: &random)))
          case 1: options.append(.exclusive("screen"))
          case 2: options += [.needs("net", 2), .needs("db")]
          default: break
          }
          if !own.isEmpty {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: options.append(.trigger(.anySucceeded))
            case 1: options.append(.trigger(.allDone))
            case 2: options.append(.trigger(.noneFailed))
            default: break
            }
          }
        }
        let operation: OperationGraph.Operation<String>
        if duration == 0 {
          operation = graph.add("\(index)", with: .all(options)) { () throws -> String in "" }
        } else {
          operation = graph.addWithCompletion(
            "\(index)", of: String.self, with: .all(options),
            perform: stage.work("\(index)", duration))
        }
        for predecessor in own { graph.addDependency(of: operation, on: operations[predecessor]) }
        operations.append(operation)
        durations.append(duration)
        before.append(own)
      }
    }

    func duration(_ operation: GraphOperation) -> Duration { .ms(durations[operation.index]) }

    /// The longest path to the end of an operation, found by trying all.
    func longest(to operation: Int) -> Int {
      durations[operation] + (before[operation].map(longest(to:)).max() ?? 0)
    }

    /// The longest path from the start of an operation.
    func longest(from operation: Int) -> Int {
      let after = before.indices.filter { before[$0].contains(operation) }
      return durations[operation] + (after.map(longest(from:)).max() ?? 0)
    }
  }

  @Test func `without a width the makespan is the longest path, and slack the difference`() throws {
    for seed: UInt64 in 0..<150 {
      let random = RandomGraph(seed: seed, count: 1...12, hasOptions: false, Stage())
      let forecast = try random.graph.forecast(durations: random.duration)
      let most = random.durations.indices.map(random.longest(to:)).max() ?? 0
      #expect(forecast.makespan == .ms(most), "seed \(seed)")
      for (index, entry) in forecast.entries.enumerated() {
        let through =
          random.longest(to: index) + random.longest(from: index) - random.durations[index]
        #expect(entry.finished == .ms(random.longest(to: index)), "seed \(seed)")
        #expect(entry.slack == .ms(most - through), "seed \(seed), \(entry)")
      }
      let path = forecast.criticalPath.map(\.index)
      #expect(path.map { random.durations[$0] }.reduce(0, +) == most)
      for (one, other) in zip(path, path.dropFirst()) {
        #expect(random.before[other].contains(one))
      }
    }
  }

  @Test func `a delay within the slack costs nothing, and a larger one costs the rest`() throws {
    for seed: UInt64 in 200..<240 {
      let random = RandomGraph(seed: seed, count: 2...30, hasOptions: false, Stage())
      let forecast = try random.graph.forecast(durations: random.duration)
      for entry in forecast.entries {
        let slack = try #require(entry.slack)
        for extra in [Duration.zero, .ms(3)] {
          let longer = try random.graph.forecast {
            random.duration($0) + ($0 == entry.operation ? slack + extra : .zero)
          }
          #expect(longer.makespan == forecast.makespan + extra, "seed \(seed), \(entry)")
        }
      }
    }
  }

  @Test(arguments: [Int.max, 1, 2, 3, 7], [false, true])
  func `a forecast equals the run on the virtual clock exactly`(
    width: Int, hasOptions: Bool
  ) throws {
    for seed: UInt64 in 0..<120 {
      let stage = Stage()
      let random = RandomGraph(
        seed: seed &* 31 &+ UInt64(width & 7), count: 1...40, hasOptions: hasOptions, stage)
      let forecast = try random.graph.forecast(
        width: width, resources: random.pool, durations: random.duration)
      let run = try random.graph.launch(
        width: width, resources: random.pool, isRecording: true, runtime: stage.runtime)
      stage.finish()
      _ = try #require(run.result).get()
      #expect(run.report == forecast, "seed \(seed)")
      #expect(forecast.makespan == .nanoseconds(stage.runtime.now.nanoseconds))
      #expect(forecast.criticalPath.allSatisfy { forecast.entries[$0.index].slack == .zero })
    }
  }

  @Test(arguments: [Int.max, 1, 2, 5])
  func `the run without controls takes as long as forecast`(width: Int) throws {
    for seed: UInt64 in 0..<100 {
      let stage = Stage()
      let random = RandomGraph(seed: seed &+ 5000, count: 1...40, hasOptions: false, stage)
      let forecast = try random.graph.forecast(width: width, durations: random.duration)
      let count = Locked(0)
      random.graph.start(width: width, runtime: stage.runtime) { _ in count.withLock { $0 += 1 } }
      stage.finish()
      #expect(count.withLock { $0 } == 1)
      #expect(forecast.makespan == .ms(stage.milliseconds), "seed \(seed)")
      let starts = stage.log.entries.filter { $0.contains("+") }.sorted()
      let expected = forecast.entries.filter { $0.duration != .zero }.map {
        "\($0.operation.name)+\(($0.started ?? .zero).wholeNanoseconds / 1_000_000)"
      }
      #expect(starts == expected.sorted(), "seed \(seed)")
    }
  }
}
