import Foundation
import Measuring

/// Usage: render [--check] [--program PATH] [--alone canvas|bare]
///
/// What drawing costs, beside bare calls of Cairo and Pango in C. It needs no program.
///
/// `--alone` gives a profiler one of the two, fifty times.
@main struct RenderSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": _ = arguments.popFirst()
      case "--alone":
        let kind = arguments.popFirst() ?? ""
        for _ in 0..<50 {
          switch kind {
          case "canvas": try OneThread.drawAll()
          case "bare": OneThread.drawAllBare()
          default: fail("--alone takes canvas or bare")
          }
        }
        return
      default:
        fail("render does not know “\(argument)”; it knows --check, --alone and --program PATH")
      }
    }
    let rankings = try OneThread.measure()
    for ranking in rankings { print(ranking) }
    exit(isChecking && rankings.contains(where: \.isMissed) ? 1 : 0)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
