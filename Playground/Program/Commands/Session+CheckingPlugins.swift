import AsyncPatternTesting
import PluginLoading

extension Session {
  /// `playground plugin check`: checks every pattern of the plugins against the laws, and prints a table.
  func checkPlugins(_ words: [String]) async {
    guard !words.isEmpty else {
      return fail(
        CommandError(
          "“plugin check” needs a plugin",
          hint: "give its name or path, as in: playground plugin check SerialQueue"))
    }
    let library = library
    let report = await loading(plugins: words.shortList) { await library.load(words) }
    guard let report else { return status.add(.interrupted) }
    for error in report.failures {
      if !error.output.isEmpty { console.complain(error.output) }
      fail(CommandError(error.message))
    }
    for plugin in report.plugins where !status.wasInterrupted { await check(plugin) }
  }

  /// The time limit of a run applies to each law; the default is 60 seconds.
  private func check(_ plugin: LoadedPlugin) async {
    let limit = settings.timeLimit ?? .seconds(60)
    var reports: [LawReport] = []
    for (index, pattern) in plugin.patterns.enumerated() {
      let name = pattern.manual.name
      console.complain("checking \(name) (\(index + 1) of \(plugin.patterns.count)) …")
      let report = await loading("checking \(name)") {
        await PatternLaws(of: pattern, timeLimit: limit).report()
      }
      guard let report else { return status.add(.interrupted) }
      for verdict in report.verdicts {
        console.record(LawRecord(verdict, of: name, in: plugin.name).json)
      }
      reports.append(report)
    }
    console.say(LawTable(reports: reports, style: style).text)
    if !reports.allSatisfy(\.isAsStated) { status.add(.violated) }
  }
}
