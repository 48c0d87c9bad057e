public import ArgumentParser

/// The arguments that `Scripts/bench` passes to every suite.
public struct SuiteArguments: ParsableArguments {
  @Flag(help: "Exit with 1 if a target is missed.") public var check = false
  @Option(help: "The path of the playground, for suites that need it.") public var program: String?

  public init() {}

  /// Ends the suite.
  ///
  /// - Parameter isMissed: whether a target was missed.
  public func exit(isMissed: Bool) -> Never {
    Self.exit(withError: check && isMissed ? ExitCode.failure : ExitCode.success)
  }
}
