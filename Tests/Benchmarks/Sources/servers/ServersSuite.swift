import ArgumentParser
import Foundation
import Measuring

@main struct ServersSuite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "servers",
    abstract: "Measures how much more processor time a request takes while its server is recorded.",
    discussion: """
      Each server runs with and without a recording, in turn, and answers requests from this machine.
      """)

  private static let requests = 50_000

  @OptionGroup var arguments: SuiteArguments

  func run() throws {
    let program = try arguments.neededProgram
    // A server that has ended closes its connections.
    signal(SIGPIPE, SIG_IGN)
    try arguments.report { report in
      for server in ["nio-server", "hummingbird-server", "flying-fox-server"] {
        report.show(try Self.figure(of: server, playground: program))
      }
    }
  }

  private static func figure(of server: String, playground: String) throws -> Figure {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let file = NSTemporaryDirectory() + "/servers-\(getpid()).jsonl"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let path = folder + "/" + server
    let times = try Contestant.times(
      of: [
        Contestant("bare") { try time(ofRequestTo: path, []) },
        Contestant("recorded") {
          try time(ofRequestTo: playground, ["record", "--save", file, "--", path])
        },
      ], rounds: 9)
    let bare = times[0].median
    return Figure(
      "the extra time of a recorded request to \(server)",
      zip(times[1], times[0]).map { $0 - $1 }.median, peer: ("a request", bare),
      target: bare * 0.05)
  }

  /// The processor time that the server used for each request.
  private static func time(ofRequestTo program: String, _ arguments: [String]) throws -> Duration {
    let load = try Load()
    load.begin()
    let text = try Child(program, arguments + [String(load.port), String(requests)]).output()
    guard let time = text.split(separator: "\n").lazy.compactMap({ Double($0) }).first else {
      throw ChildFailure(of: program, text: text)
    }
    return .nanoseconds(1) * time
  }
}
