extension PluginSources {
  /// Patterns whose timers of 10 ms cancel parts, each in a different way. Also a step that ends by its own timer.
  static let timingOut = """
    import AsyncPatterns

    public struct TimingOut: Plugin {
      public static let name = "TimingOut"
      public static let summary = "Timers that end steps."
      public static let patterns: [any AsyncPattern.Type] = [
        Deaf.self, Together.self, Hopping.self, Patient.self, Marking.self,
      ]
    }

    struct Deaf: AsyncPattern {
      static let manual = Manual(name: "deaf", summary: "Ends after 60 ms, even if it is cancelled.")
      init(_ arguments: Arguments) {}
      func start(_ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion) {
        _ = scope.runtime.pool.schedule(after: .milliseconds(60)) { completion(.success(input)) }
      }
    }

    struct Together: AsyncPattern {
      static let manual = Manual(name: "together", summary: "Ends two steps together.")
      init(_ arguments: Arguments) {}
      func start(_ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion) {
        let own = scope.cancellable()
        own.start(steps[0], input: input) { _ in }
        own.start(steps[1], input: input) { _ in }
        _ = scope.runtime.pool.schedule(after: .milliseconds(10)) { own.cancel() }
        scope.start(steps[2], input: input, completion: completion)
      }
    }

    struct Hopping: AsyncPattern {
      static let manual = Manual(name: "hopping", summary: "Ends a step after a hop.")
      init(_ arguments: Arguments) {}
      func start(_ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion) {
        let own = scope.cancellable()
        own.start(steps[0], input: input) { _ in }
        _ = scope.runtime.pool.schedule(after: .milliseconds(10)) {
          scope.runtime.pool.schedule { own.cancel() }
        }
        scope.start(steps[1], input: input, completion: completion)
      }
    }

    struct Patient: AsyncPattern {
      static let manual = Manual(name: "patient", summary: "Waits for the steps that timed out.")
      init(_ arguments: Arguments) {}
      func start(_ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion) {
        let own = scope.cancellable()
        own.start(steps[0], input: input) { _ in
          scope.start(steps[1], input: input, completion: completion)
        }
        _ = scope.runtime.pool.schedule(after: .milliseconds(10)) { own.cancel() }
      }
    }

    struct Marking: AsyncPattern {
      static let manual = Manual(name: "marking", summary: "Gives a mark of its own.")
      init(_ arguments: Arguments) {}
      func start(_ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion) {
        scope.mark("timed-out")
        scope.start(steps[0], input: input, completion: completion)
      }
    }
    """
}
