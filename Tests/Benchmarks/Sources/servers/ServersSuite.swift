import ArgumentParser
import Foundation
import Measuring

/// Usage: servers [--check] --program PATH
///
/// Measures how much more processor time a request takes while its server is recorded. Each server runs with and
/// without a recording, in rotation, and answers requests from this machine.
@main struct ServersSuite {
  private static let requests = 50_000

  static func main() throws {
    let arguments = SuiteArguments.parseOrExit()
    guard let program = arguments.program else {
      SuiteArguments.exit(withError: ValidationError("servers needs --program PATH"))
    }
    // A server that has ended closes its connections.
    signal(SIGPIPE, SIG_IGN)
    let figures = try ["nio-server", "hummingbird-server", "flying-fox-server"].map {
      try figure(of: $0, playground: program)
    }
    for figure in figures { print(figure) }
    arguments.exit(isMissed: figures.contains(where: \.isMissed))
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
