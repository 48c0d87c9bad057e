import ArgumentParser
import Measuring

@main struct RenderSuite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Measures the cost of drawing, compared with bare calls of Cairo and Pango in C.",
    discussion: """
      With a program, it also measures the time of the main thread while the program flings a list.
      """)

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case canvas, bare, layers, pair, each, thread
  }

  @OptionGroup var arguments: SuiteArguments
  @Option(help: "Draw only in this way, fifty times, for a profiler.") var alone: Kind?

  func run() throws {
    if let alone {
      for _ in 0..<50 { try Self.draw(alone) }
      return
    }
    try arguments.report { report in
      report.show(try OneThread.measure())
      report.show(try ManyLayers.measure())
      if let program = arguments.program { report.show(try Flinging.measure(with: program)) }
    }
  }

  private static func draw(_ kind: Kind) throws {
    switch kind {
    case .canvas: try OneThread.drawAll()
    case .bare: OneThread.drawAllBare()
    case .layers: try ManyLayers.displayAll()
    case .pair: try ManyLayers.displayPair()
    case .each: try ManyLayers.displayEach()
    case .thread: ManyLayers.drawAllBare()
    }
  }
}
