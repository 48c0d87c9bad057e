import ArgumentParser
import Measuring

@main struct PromisesSuite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promises",
    abstract: "Measures the cost of promises.",
    discussion: """
      The shapes are those that google/promises and Bluebird measure. They are compared with the futures of SwiftNIO and OpenCombine, tasks, and Dispatch; with `Scripts/bench --peers` \
      also with PromiseKit.
      """)

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case oneLink = "then-1"
    case threeLinks = "then-3"
    case concurrent, pending, resolved, all, doxbee
  }

  @OptionGroup var arguments: SuiteArguments
  @Option(help: "Do only this with our promises, a hundred times, for a profiler.") var alone: Kind?

  func run() throws {
    let peers = Peers()
    if let alone {
      for _ in 0..<100 { Self.run(alone, peers) }
      return
    }
    try arguments.report { report in
      for section in [
        Chains.measure, Concurrent.measure, Maps.measure, Gathering.measure, Doxbee.measure,
      ] {
        report.show(try section(peers))
      }
      report.show(try LinkAllocations.measure(peers))
    }
  }

  private static func run(_ kind: Kind, _ peers: Peers) {
    switch kind {
    case .oneLink: Chains.runAlone(peers, links: 1)
    case .threeLinks: Chains.runAlone(peers, links: 3)
    case .concurrent: Concurrent.runAlone()
    case .pending: Maps.pending(on: .inline)
    case .resolved: Maps.resolved(on: .inline)
    case .all: _ = Gathering.all()
    case .doxbee: Doxbee.runAlone(peers)
    }
  }
}
