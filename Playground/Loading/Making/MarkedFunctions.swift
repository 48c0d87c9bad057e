/// The functions in source texts that the line `// step` above them marks as steps.
struct MarkedFunctions {
  struct Function: Hashable {
    var name: String
    /// Whether the function has no parameters. Only then can it be a step.
    var takesNothing: Bool
  }

  private(set) var functions: [Function] = []

  init(in texts: [[UInt8]]) {
    for text in texts {
      let lines = String(decoding: text, as: UTF8.self).split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (mark, line) in zip(lines, lines.dropFirst()) where Self.isMark(mark) {
        guard let match = line.firstMatch(of: /\bfunc\s+(\w+)\s*\(\s*(\)?)/) else { continue }
        functions.append(
          Function(name: String(match.1), takesNothing: !match.2.isEmpty))
      }
    }
  }

  private static func isMark(_ line: Substring) -> Bool {
    line.wholeMatch(of: /\s*\/\/\s*step\s*/) != nil
  }

  /// The functions that become steps.
  ///
  /// - Parameter place: the description of the texts in an error.
  func steps(in place: String) throws(PluginError) -> [Function] {
    if let first = functions.first(where: { !$0.takesNothing }) {
      throw PluginError(
        .noPlugin,
        "The function \(first.name) in \(place) is marked as a step, but it has parameters. A step has none: "
          + "func \(first.name)() async throws.")
    }
    return functions
  }
}

extension EntryPoint {
  /// The source of a plugin whose patterns run the functions that are marked as steps, with an entry point.
  ///
  /// - Parameters:
  ///   - functions: the marked functions.
  ///   - plugin: a plugin declared in the same texts, whose patterns are included.
  ///   - name: the part of the C symbol after the prefix. Without `plugin`, also the name of the new plugin.
  static func source(
    for functions: [MarkedFunctions.Function], beside plugin: String?, name: String
  ) -> String {
    let types = functions.map { "Step_\($0.name).self" }.joined(separator: ", ")
    let names = functions.map(\.name).joined(separator: ", ")
    let patterns = functions.map { function in
      """
      private struct Step_\(function.name): AsyncPattern {
        static let manual = Manual(
          name: "\(function.name)", summary: "Runs the function \(function.name) of \(name).", steps: .none,
          isTest: true)
        init(_ arguments: Arguments) {}
        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) {
          scope.startTask(then: completion) { Value(of: try await \(function.name)()) }
        }
      }

      """
    }
    return """
      \(source(for: "AsyncPatternSteps", name: name))
      enum AsyncPatternSteps: Plugin {
        static let name = \(plugin.map { "\($0).name" } ?? "\"\(name)\"")
        static let summary = \(plugin.map { "\($0).summary" } ?? "\"Steps of Swift: \(names).\"")
        static let patterns: [any AsyncPattern.Type] = \(plugin.map { "\($0).patterns + " } ?? "")[\(types)]
      }

      \(patterns.joined(separator: "\n"))
      """
  }
}
