extension PluginSources {
  /// A pattern without steps that records a counter 50 times per second, as an animation does.
  static let counting = """
    import AsyncPatterns

    public struct Counting: Plugin {
      public static let name = "Counting"
      public static let summary = "Records counters."
      public static let patterns: [any AsyncPattern.Type] = [Fade.self]
    }

    struct Fade: AsyncPattern {
      static let manual = Manual(
        name: "fade", summary: "Moves a counter from one value to another.",
        parameters: [
          Parameter("duration", .duration, default: .duration(.milliseconds(300))),
          Parameter("from", .real, default: .real(0)),
          Parameter("to", .real, default: .real(1)),
          Parameter("property", .string, default: .string("opacity")),
        ], steps: .none)

      let duration: Duration
      let from: Double
      let to: Double
      let property: String

      init(_ arguments: Arguments) throws {
        duration = try arguments.duration("duration")
        from = try arguments.real("from")
        to = try arguments.real("to")
        property = try arguments.string("property")
      }

      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        scope.counter(property, from)
        frame(1, in: scope, completion)
      }

      private func frame(_ number: Int, in scope: Scope, _ completion: @escaping Completion) {
        let whole = max(Int(duration / .milliseconds(20)), 1)
        _ = scope.runtime.main.schedule(after: duration / whole) {
          let part = Double(number) / Double(whole)
          scope.counter(property, from + (to - from) * part * part * (3 - 2 * part))
          if number < whole && !scope.isCancelled {
            frame(number + 1, in: scope, completion)
          } else {
            completion(.success(.real(to)))
          }
        }
      }
    }
    """
}
