/// Plugins in source form, for tests that write them to files.
enum PluginSources {
  /// A pattern with arguments.
  static let attempts = """
    import AsyncPatterns

    public struct Attempts: Plugin {
      public static let name = "Attempts"
      public static let summary = "A pattern with arguments."
      public static let patterns: [any AsyncPattern.Type] = [RetryLike.self]
    }

    struct RetryLike: AsyncPattern {
      static let manual = Manual(
        name: "retry-like", summary: "Yields its first argument.",
        parameters: [
          Parameter("width", .integer(1...8), default: .integer(2)),
          Parameter("mode", .word(["gentle", "rough"]), default: .string("rough")),
        ])
      let width: Int
      init(_ arguments: Arguments) throws { width = try arguments.integer("width") }
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        completion(.success(.integer(width)))
      }
    }
    """

  /// A pattern that yields a number, and which one can be told from the outside.
  static func answer(_ number: Int) -> String {
    """
    import AsyncPatterns

    public struct Answer: Plugin {
      public static let name = "Answer"
      public static let summary = "Yields a number."
      public static let patterns: [any AsyncPattern.Type] = [AnswerPattern.self]
    }

    struct AnswerPattern: AsyncPattern {
      static let manual = Manual(name: "answer", summary: "Yields \(number).")
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        completion(.success(.integer(\(number))))
      }
    }
    """
  }

  /// Ends its process as soon as somebody asks for its patterns.
  static let crashing = """
    import AsyncPatterns

    public struct Crashing: Plugin {
      public static let name = "Crashing"
      public static let summary = "Does not get far."
      public static var patterns: [any AsyncPattern.Type] { fatalError("on purpose") }
    }
    """

  /// Patterns that the virtual clock cannot hold: one whose order nobody can foresee, and those that leave
  /// for Dispatch, for a thread and for the clock of the machine.
  static let wild = """
    import AsyncPatterns
    import Dispatch
    import Foundation

    public struct Wild: Plugin {
      public static let name = "Wild"
      public static let summary = "What the virtual clock cannot hold."
      public static let patterns: [any AsyncPattern.Type] = [
        Shuffled.self, Hopping.self, Threaded.self, Sleeping.self, Elsewhere.self,
      ]
    }

    struct Shuffled: AsyncPattern {
      static let manual = Manual(name: "shuffled", summary: "One after another, in any order.")
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        var generator = SystemRandomNumberGenerator()
        next(steps.shuffled(using: &generator)[...], scope, completion)
      }
      private func next(
        _ steps: ArraySlice<Step>, _ scope: Scope, _ completion: @escaping Completion
      ) {
        guard let first = steps.first else { return completion(.success(.none)) }
        scope.start(first) { _ in next(steps.dropFirst(), scope, completion) }
      }
    }

    struct Hopping: AsyncPattern {
      static let manual = Manual(name: "hopping", summary: "Hops to Dispatch.", steps: .none)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        DispatchQueue.global().async { completion(.success(.integer(7))) }
      }
    }

    struct Threaded: AsyncPattern {
      static let manual = Manual(name: "threaded", summary: "Has a thread.", steps: .none)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        Thread { completion(.success(.integer(7))) }.start()
      }
    }

    struct Sleeping: AsyncPattern {
      static let manual = Manual(name: "sleeping", summary: "Sleeps by Task.sleep.", steps: .none)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        let nap = Step("nap") { _, _ in
          try await Task.sleep(for: .milliseconds(1))
          return .integer(7)
        }
        scope.start(nap, completion: completion)
      }
    }

    struct Elsewhere: AsyncPattern {
      static let manual = Manual(
        name: "elsewhere", summary: "Starts its step from Dispatch.", steps: .exactly(1))
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        DispatchQueue.global().async { scope.start(steps[0], completion: completion) }
      }
    }
    """

  /// A pattern that waits for a signal that nobody gives.
  static let lossy = """
    import AsyncPatterns

    public struct Lossy: Plugin {
      public static let name = "Lossy"
      public static let summary = "Waits for nobody."
      public static let patterns: [any AsyncPattern.Type] = [LossyPattern.self]
    }

    struct LossyPattern: AsyncPattern {
      static let manual = Manual(
        name: "lossy", summary: "Waits for a signal that nobody gives.", blocksThread: true)
      init(_ arguments: Arguments) {}

      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        scope.runtime.semaphore(0).wait()
        completion(.success(.none))
      }
    }
    """
}
