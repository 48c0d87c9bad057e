import Testing
import TimingTrace

/// The slack of steps, compared with a plan that is calculated by hand.
@Suite struct SlackTests {
  /// Steps that start as soon as all their dependencies have ended.
  struct Plan: CustomTestStringConvertible, Sendable {
    let seed: UInt64
    var durations: [Int64] = []
    var predecessors: [[Int]] = []
    var testDescription: String { "seed \(seed)" }

    init(seed: UInt64) {
      self.seed = seed
      var generator = Generator(state: seed)
      for index in 0..<Int.random(in: 1...12, using: &generator) {
        durations.append(.random(in: 1...20, using: &generator))
        predecessors.append(
          (0..<index).filter { _ in Int.random(in: 0...3, using: &generator) == 0 })
      }
    }

    /// The time at which each step ends.
    var ends: [Int64] {
      var ends: [Int64] = []
      for (index, duration) in durations.enumerated() {
        ends.append((predecessors[index].map { ends[$0] }.max() ?? 0) + duration)
      }
      return ends
    }

    var makespan: Int64 { ends.max() ?? 0 }

    var script: EventScript {
      var script = EventScript()
      script.submit("g", "graph", at: 0)
      script.start("g", at: 0)
      let ends = ends
      for index in durations.indices { script.submit("\(index)", in: "g", at: 0) }
      var moments: [(time: Int64, isStart: Bool, index: Int)] = []
      for index in durations.indices {
        moments.append((ends[index] - durations[index], true, index))
        moments.append((ends[index], false, index))
      }
      moments.sort { ($0.time, $0.isStart ? 1 : 0) < ($1.time, $1.isStart ? 1 : 0) }
      for moment in moments {
        guard moment.isStart else {
          script.finish("\(moment.index)", at: moment.time)
          continue
        }
        for predecessor in predecessors[moment.index] {
          script.await("\(moment.index)", (.end, "\(predecessor)"), at: moment.time)
        }
        script.start("\(moment.index)", at: moment.time)
      }
      script.finish("g", at: makespan)
      return script
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  @Test(arguments: (1...200).map { Plan(seed: UInt64($0)) })
  func `using all slack does not delay the run, and a moment more does`(_ plan: Plan) throws {
    let script = plan.script
    let record = script.record()
    #expect(record.makespan == .ms(plan.makespan))
    let analysis = Analysis(of: record, events: script.events)
    for (index, slack) in analysis.slack.enumerated() {
      let slack = try #require(slack) / .ms(1)
      var longer = plan
      longer.durations[index] += slack
      #expect(longer.makespan == plan.makespan)
      longer.durations[index] += 1
      #expect(longer.makespan == plan.makespan + 1)
    }
    for step in analysis.criticalPath { #expect(analysis.slack[step.step] == 0) }
    let parts = analysis.criticalPath.reduce(0) { $0 + $1.time + ($1.handOver?.delay ?? 0) }
    #expect(parts + analysis.tail == record.makespan)
  }

  @Test func `a cancelled step has no slack, and the winner decides the end of the run`() {
    let script = EventScript("race: race early { a: 0..5; b: 0..5 cancelled by a }")
    let analysis = Analysis(of: script.record(), events: script.events)
    #expect(analysis.slack == [0, nil])
  }
}
