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

  /// A pattern that yields a number, which shows which version of the plugin is loaded.
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

  /// Draws a picture, partly with Cairo's own functions, and yields its size.
  static let drawing = """
    import AsyncPatterns
    import AsyncRender
    import CCairo

    public struct Drawing: Plugin {
      public static let name = "Drawing"
      public static let summary = "A picture."
      public static let patterns: [any AsyncPattern.Type] = [DrawingPattern.self]
    }

    struct DrawingPattern: AsyncPattern {
      static let manual = Manual(name: "drawing", summary: "Yields the size of a picture.")
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        do throws(DrawingError) {
          let canvas = try Canvas(size: Size(width: 20, height: 10), scale: 2)
          canvas.draw(TextLayout("hi", font: try Font("Sans 6")), at: .zero, color: .black)
          canvas.withCairo { context in cairo_paint(context) }
          let picture = try Picture(png: try canvas.finish().pngData())
          completion(.success(.size(picture.width, picture.height)))
        } catch {
          completion(.failure(error))
        }
      }
    }
    """

  /// A plugin with one pattern that imports a module and uses it.
  static func handing(
    _ plugin: String, _ pattern: String, importing module: String, _ body: String
  ) -> String {
    """
    import AsyncPatterns
    import \(module)
    import Foundation

    public struct \(plugin): Plugin {
      public static let name = "\(plugin)"
      public static let summary = "A point."
      public static let patterns: [any AsyncPattern.Type] = [\(plugin)Pattern.self]
    }

    struct \(plugin)Pattern: AsyncPattern {
      static let manual = Manual(name: "\(pattern)", summary: "Hands on a point.")
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        \(body)
        completion(.success(.none))
      }
    }
    """
  }

  /// Ends its process as soon as the program asks for its patterns.
  static let crashing = """
    import AsyncPatterns

    public struct Crashing: Plugin {
      public static let name = "Crashing"
      public static let summary = "Does not get far."
      public static var patterns: [any AsyncPattern.Type] { fatalError("on purpose") }
    }
    """

  /// Patterns that are not deterministic on the virtual clock. One has an unpredictable order. Others leave the runtime
  /// and use a thread or the clock of the machine.
  static let wild = """
    import AsyncPatterns
    import Foundation

    public struct Wild: Plugin {
      public static let name = "Wild"
      public static let summary = "What the virtual clock cannot hold."
      public static let patterns: [any AsyncPattern.Type] = [
        Shuffled.self, Hopping.self, Threaded.self, Sleeping.self, Elsewhere.self,
      ]
    }

    let turns = Locked(0)

    struct Shuffled: AsyncPattern {
      static let manual = Manual(name: "shuffled", summary: "One after another, in any order.")
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        // The count is kept from the previous run: no clock and no random generator controls it.
        let turn = turns.withLock { turn in
          turn += 1
          return turn % max(steps.count, 1)
        }
        next((steps[turn...] + steps[..<turn])[...], scope, completion)
      }
      private func next(
        _ steps: ArraySlice<Step>, _ scope: Scope, _ completion: @escaping Completion
      ) {
        guard let first = steps.first else { return completion(.success(.none)) }
        scope.start(first) { _ in next(steps.dropFirst(), scope, completion) }
      }
    }

    /// Runs `body` on a new thread, and returns when that thread has ended.
    /// So it makes no difference how busy the machine is.
    func elsewhere(_ body: @escaping @Sendable () -> Void) {
      final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      }
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { box in
          Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().body()
          return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
      pthread_join(thread, nil)
    }

    struct Hopping: AsyncPattern {
      static let manual = Manual(name: "hopping", summary: "Hops to a thread.", steps: .none)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        elsewhere { completion(.success(.integer(7))) }
      }
    }

    struct Threaded: AsyncPattern {
      static let manual = Manual(name: "threaded", summary: "Has a thread.", steps: .none)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        elsewhere { completion(.success(.integer(7))) }
      }
    }

    struct Sleeping: AsyncPattern {
      static let manual = Manual(
        name: "sleeping", summary: "Sleeps by Task.sleep.",
        parameters: [Parameter("for", .duration, isRequired: true)], steps: .none)
      let duration: Duration
      init(_ arguments: Arguments) throws { duration = try arguments.duration("for") }
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        let nap = Step("nap") { [duration] _, _ in
          try await Task.sleep(for: duration)
          return .integer(7)
        }
        scope.start(nap, completion: completion)
      }
    }

    struct Elsewhere: AsyncPattern {
      static let manual = Manual(
        name: "elsewhere", summary: "Starts its step from a thread.", steps: .exactly(1))
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        elsewhere { scope.start(steps[0], completion: completion) }
      }
    }
    """

  /// A pattern that waits for a signal that never comes.
  static let lossy = """
    import AsyncPatterns

    public struct Lossy: Plugin {
      public static let name = "Lossy"
      public static let summary = "Waits in vain."
      public static let patterns: [any AsyncPattern.Type] = [LossyPattern.self]
    }

    struct LossyPattern: AsyncPattern {
      static let manual = Manual(
        name: "lossy", summary: "Waits for a signal that never comes.", blocksThread: true)
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
