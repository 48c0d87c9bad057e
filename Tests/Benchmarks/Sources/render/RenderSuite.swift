import Foundation
import Measuring

/// Usage: render [--check] [--program PATH] [--alone canvas|bare|layers|pair|each|thread]
///
/// Measures the cost of drawing, compared with bare calls of Cairo and Pango in C. With a program, it also measures the
/// time of the main thread while the program flings a list.
///
/// `--alone` runs one kind of drawing fifty times, for a profiler.
@main struct RenderSuite {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    var program: String?
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": program = arguments.popFirst()
      case "--alone":
        let kind = arguments.popFirst() ?? ""
        for _ in 0..<50 {
          switch kind {
          case "canvas": try OneThread.drawAll()
          case "bare": OneThread.drawAllBare()
          case "layers": try ManyLayers.displayAll()
          case "pair": try ManyLayers.displayPair()
          case "each": try ManyLayers.displayEach()
          case "thread": ManyLayers.drawAllBare()
          default: fail("--alone takes canvas, bare, layers, pair, each or thread")
          }
        }
        return
      default:
        fail("unknown argument “\(argument)”; render takes --check, --alone and --program PATH")
      }
    }
    let rankings = try OneThread.measure() + ManyLayers.measure()
    for ranking in rankings { print(ranking) }
    let figures = try program.map(Flinging.measure(with:)) ?? []
    for figure in figures { print(figure) }
    let isMissed = rankings.contains(where: \.isMissed) || figures.contains(where: \.isMissed)
    exit(isChecking && isMissed ? 1 : 0)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
