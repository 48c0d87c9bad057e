/// Child tasks that each add numbers for a few microseconds and pass the sum to an actor.
public enum Work {
  /// Prints the time of each task, in nanoseconds. The program's argument is the number of tasks.
  public static func run() async {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10
    let tasksAtATime = 100
    let total = Total()
    let clock = ContinuousClock()
    let time = await clock.measure {
      for _ in 0..<count / tasksAtATime {
        await withTaskGroup { group in
          for number in 0..<tasksAtATime {
            group.addTask { await total.add(mix(UInt64(number))) }
          }
        }
      }
    }
    let done = await total.count
    precondition(done == count / tasksAtATime * tasksAtATime)
    print(time / .nanoseconds(1) / Double(count))
  }

  private static func mix(_ start: UInt64) -> UInt64 {
    var state = start
    for _ in 0..<5_000 {
      state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9 &+ 0x9E37_79B9_7F4A_7C15
    }
    return state
  }

  private actor Total {
    var count = 0
    private var sum: UInt64 = 0

    func add(_ number: UInt64) {
      count += 1
      sum &+= number
    }
  }
}
