import Foundation
import Measuring

/// The cost of recording for each job, and the time that the playground needs to write the recording to a file.
struct RecordedPrograms {
  let playground: String
  private let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
  private let file = NSTemporaryDirectory() + "/recording-\(getpid()).jsonl"

  init(playground: String) { self.playground = playground }

  func measure() throws -> [Figure] {
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try figures(
      of: "hops-bare", count: 1_000_000, called: "the extra time of a recorded hop",
      target: .nanoseconds(100))
      + figures(
        of: "work-bare", count: 100_000,
        called: "the extra time of a recorded child task that works and calls an actor",
        target: nil)
  }

  private func figures(
    of program: String, count: Int, called name: String, target: Duration?
  ) throws -> [Figure] {
    let path = folder + "/" + program
    var whole: [Duration] = []
    let times = try Contestant.times(
      of: [
        Contestant("bare") { try time(in: Child(path, [String(count)]).output()) },
        Contestant("recorded") {
          var text = ""
          let command = ["record", "--save", file, "--", path, String(count)]
          let all = try ContinuousClock().measure { text = try Child(playground, command).output() }
          let time = try time(in: text)
          whole.append(all - time * count)
          return time
        },
      ], rounds: 7)
    let more = zip(times[1], times[0]).map { $0 - $1 }.median
    return [
      Figure(name, more, peer: (program, times[0].median), target: target),
      Figure(
        "making the file of runs, \(count) of them", whole.median,
        peer: ("running it", times[1].median * count)),
    ]
  }

  /// The time of each job, which is the first number that the program prints.
  private func time(in text: String) throws -> Duration {
    guard let time = text.split(separator: "\n").lazy.compactMap({ Double($0) }).first else {
      throw ChildFailure(of: "the measured program", text: text)
    }
    return .nanoseconds(1) * time
  }
}
