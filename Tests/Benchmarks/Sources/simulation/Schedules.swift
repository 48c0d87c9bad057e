import Foundation
import Measuring
import Simulation

/// The cost of a schedule of an exploration.
enum Schedules {
  private static let count = 20_000

  static func figures() throws -> [Figure] {
    let contestants = [
      Contestant("schedule") { explore(isRecording: false) },
      Contestant("recorded") { explore(isRecording: true) },
    ]
    let times = try Contestant.medians(of: contestants, rounds: 5).map { $0 / count }
    return [
      Figure("a schedule of ten sleeps", times[0], target: .microseconds(10)),
      Figure("the same, recorded", times[1], peer: ("not recorded", times[0])),
    ]
  }

  private static func explore(isRecording: Bool) -> Duration {
    let steps = (1...10).map { Step.sleep("\($0)", .milliseconds($0)) }
    let step = Step("all", pattern: AtOnce(Arguments()), steps: steps)
    let exploration = Exploration(schedules: count, isRecording: isRecording)
    return ContinuousClock().measure {
      let report = exploration.explore(step)
      precondition(report.violations == 0 && report.schedules == count)
    }
  }
}

/// Starts all of its steps at once.
struct AtOnce: AsyncPattern {
  static let manual = Manual(name: "at-once", summary: "All at once.", flow: .sideBySide)
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let left = Locked(steps.count)
    for step in steps {
      scope.start(step, input: input) { _ in
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { completion(.success(input)) }
      }
    }
  }
}
