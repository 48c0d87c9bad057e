import AsyncPatterns
import Foundation

/// The child's side of a probe. The executable starts itself with a hidden argument; the child opens new plugins and
/// reports on each. A plugin that crashes therefore does not end the prompt.
public enum PluginProbe {
  /// The hidden argument. Three arguments follow for each plugin: its origin, its entry point and its object.
  public static let argument = "--probe-plugins"

  /// Returns immediately if the program was not started as a probe; otherwise it never returns. The program must call
  /// it before anything else.
  ///
  /// - Parameter arguments: the program's arguments, beginning with its name.
  public static func main(_ arguments: [String]) {
    guard arguments.count > 1, arguments[1] == argument else { return }
    // The output of a plugin must not mix with the verdicts.
    let report = dup(1)
    dup2(2, 1)
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)

    var rest = arguments.dropFirst(2)
    while rest.count >= 3 {
      let plugin = rest.prefix(3).map { $0 }
      rest = rest.dropFirst(3)
      // If the parent has ended, this alarm ends a plugin that hangs.
      alarm(30)
      write(probe(what: plugin[0], entryPoint: plugin[1], object: plugin[2], report), to: report)
    }
    _exit(0)
  }

  private static func probe(what: String, entryPoint: String, object: String, _ report: Int32)
    -> ProbeRecord
  {
    func tell(_ stage: PluginImage.Stage) {
      write(ProbeRecord(object: object, stage: stage), to: report)
    }
    do throws(PluginError) {
      let plugin = try PluginImage.open(object, entryPoint: entryPoint, what: what, stage: tell)
      tell(.readingPatterns)
      let patterns = plugin.patterns
      let (name, summary) = (plugin.name, plugin.summary)
      tell(.readingManuals)
      let manuals = patterns.map { $0.manual }
      return ProbeRecord(
        object: object,
        plugin: ProbeRecord.Description(
          name: name, summary: summary,
          patterns: manuals.map { ProbeRecord.Pattern(name: $0.name, summary: $0.summary) }))
    } catch {
      return ProbeRecord(
        object: object, refusal: ProbeRecord.Refusal(kind: error.kind, message: error.message))
    }
  }

  private static func write(_ record: ProbeRecord, to descriptor: Int32) {
    var rest = record.line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { _exit(1) }
      rest = rest.dropFirst(count)
    }
  }
}
