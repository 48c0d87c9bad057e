import ArgumentParser
import Measuring

@main struct SerialQueueSuite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serial-queue",
    abstract: "Measures the cost of a serial queue.",
    discussion: """
      It is compared with the alternatives: a Dispatch queue, an operation queue, an event loop of SwiftNIO, an actor, \
      and a stream or a channel that one task consumes. With `Scripts/bench --peers`, it is compared with the packages \
      mattmassicotte/Queue and dfed/swift-async-queue, too.
      """)

  enum Burst: String, CaseIterable, ExpressibleByArgument {
    case oneProducer = "one-producer"
    case fourProducers = "four-producers"
    case asynchronous
  }

  @OptionGroup var arguments: SuiteArguments
  @Option(help: "Run only this burst, a hundred times, for a profiler.") var alone: Burst?
  @Option(help: .private) var idle: IdleQueues.Kind?

  func run() throws {
    // The program starts itself with this argument.
    if let idle { return print(IdleQueues.bytes(of: idle)) }
    if let alone {
      for _ in 0..<100 { Self.run(alone) }
      return
    }
    try arguments.report { report in
      for section in [Bursts.measure, AsynchronousWork.measure, RoundTrips.measure] {
        report.show(try section())
      }
      report.show(try IdleQueues.measure())
    }
  }

  private static func run(_ burst: Burst) {
    switch burst {
    case .oneProducer: Bursts.runAlone(producers: 1)
    case .fourProducers: Bursts.runAlone(producers: 4)
    case .asynchronous: AsynchronousWork.runAlone()
    }
  }
}
