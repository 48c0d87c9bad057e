public import ArgumentParser

/// The arguments that `Scripts/bench` passes to every suite.
public struct SuiteArguments: ParsableArguments {
  @Flag(help: "Exit with 1 if a target is missed.") public var check = false
  @Flag(help: "Print the rows of a table in Markdown.") public var markdown = false
  @Option(help: "The path of the playground, for suites that need it.") public var program: String?

  public init() {}

  /// The path of the playground.
  public var neededProgram: String {
    get throws {
      guard let program else { throw ValidationError("This suite needs --program PATH.") }
      return program
    }
  }

  /// Throws an exit code if `--check` is given and a target is missed.
  public func report(_ measure: (Report) throws -> Void) throws {
    let report = Report(isMarkdown: markdown)
    try measure(report)
    try end(report)
  }

  /// The same for a suite of asynchronous functions.
  public func reportAsynchronously(_ measure: (Report) async throws -> Void) async throws {
    let report = Report(isMarkdown: markdown)
    try await measure(report)
    try end(report)
  }

  private func end(_ report: Report) throws {
    if check, report.isMissed { throw ExitCode.failure }
  }
}
