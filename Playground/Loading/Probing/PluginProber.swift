import Foundation

/// The parent's side of a probe. A child process opens the new plugins. The child's reports and the way in which it
/// ends determine which plugins are accepted.
struct PluginProber: Sendable {
  var host: PluginHost
  var cache: PluginCache
  /// How long a child may write nothing.
  var limit: Duration = .seconds(10)

  /// The error of each plugin, nil if it is accepted; in the order given.
  ///
  /// One child opens all plugins that no probe of this host has accepted before. If a plugin crashes it, another child
  /// opens the plugins after that one. Only acceptances are stored, because the cause of a failure may be outside the
  /// plugin.
  func probe(_ plugins: [BuiltPlugin]) async -> [PluginError?] {
    var verdicts: [PluginError?] = plugins.map { _ in nil }
    var rest = plugins.indices.filter { !cache.isKnownGood(key(plugins[$0])) }
    while !rest.isEmpty {
      let outcome: ChildProcess.Outcome
      do {
        outcome = try await run(rest.map { plugins[$0] })
      } catch {
        for index in rest { verdicts[index] = error }
        return verdicts
      }
      let records = ProbeRecord.records(in: outcome.output)
      var judged = 0
      for index in rest {
        let own = records.filter { $0.object == plugins[index].object }
        if let refusal = own.lazy.compactMap(\.refusal).first {
          verdicts[index] = PluginError(refusal.kind, refusal.message)
        } else if let good = own.first(where: { $0.plugin != nil }) {
          cache.rememberGood(key(plugins[index]), good.line)
        } else {
          verdicts[index] = Self.failure(
            of: plugins[index], stage: own.last?.stage ?? .opening, outcome, limit: limit)
          judged += 1
          break
        }
        judged += 1
      }
      rest.removeFirst(judged)
    }
    return verdicts
  }

  /// The report of the probe that accepted the plugin, or nil.
  func goodVerdict(on plugin: BuiltPlugin) -> [UInt8]? { cache.goodVerdict(key(plugin)) }

  private func run(_ plugins: [BuiltPlugin]) async throws(PluginError) -> ChildProcess.Outcome {
    var environment = ProcessInfo.processInfo.environment
    // The Swift runtime's crash report takes a second, and its first line is sufficient.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    do {
      return try await ChildProcess.run(
        host.executable,
        [PluginProbe.argument]
          + plugins.flatMap { [$0.origin.description, $0.entryPoint, $0.object] },
        environment: environment, silence: limit)
    } catch let error as ChildProcess.SpawnError {
      throw PluginError(
        .crashed,
        "A new plugin is first opened in a child of this program, and “\(host.executable)” could not be "
          + "started: \(error.text). Start the playground again.")
    } catch {
      throw .cancelled
    }
  }

  static func failure(
    of plugin: BuiltPlugin, stage: PluginImage.Stage, _ outcome: ChildProcess.Outcome,
    limit: Duration
  ) -> PluginError {
    let output = lastWords(outcome.errors)
    let what = "\(plugin.origin)"
    let consequence =
      "It was opened in a process of its own, so nothing else was harmed, and none of it was loaded. "
      + "Correct the plugin, and load it again."
    switch outcome.end {
    case .silent:
      return PluginError(
        .hung, "\(what) hung \(stage.rawValue), for \(limit.components.seconds) s. \(consequence)",
        output: output)
    case .signalled(let signal):
      return PluginError(
        .crashed,
        "\(what) crashed \(stage.rawValue): \(String(cString: strsignal(signal))) (signal \(signal))."
          + " \(consequence)", output: output)
    case .exited(let code):
      return PluginError(
        .crashed, "\(what) ended its process \(stage.rawValue), with code \(code). \(consequence)",
        output: output)
    }
  }

  /// The last lines that a child wrote to standard error, truncated, without the addresses of a stack trace.
  private static func lastWords(_ errors: [UInt8]) -> String {
    String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
      .prefix { !$0.hasPrefix("Current stack trace") && !$0.hasPrefix("*** ") }
      .suffix(8).map { $0.count > 200 ? $0.prefix(199) + "…" : $0 }.joined(separator: "\n")
  }

  /// Identifies the state of the object, the compiler and the host together.
  private func key(_ plugin: BuiltPlugin) -> String {
    ContentHash.of(
      [FileStamp(plugin.object)?.text ?? plugin.object, plugin.entryPoint, host.identity]
        .joined(separator: "\n") + PluginHost.compiler)
  }
}
