extension PluginSources {
  /// Patterns that do not stop, block the main thread, or end the program.
  static let relentless = """
    import AsyncPatterns
    import Dispatch
    import Glibc

    public struct Relentless: Plugin {
      public static let name = "Relentless"
      public static let summary = "Patterns that no program should have."
      public static let patterns: [any AsyncPattern.Type] = [
        Again.self, Count.self, HoldsMain.self, HoldsMainAndEnds.self, Exits.self,
      ]
    }

    let count = Locked(0)

    struct Again: AsyncPattern {
      static let manual = Manual(
        name: "again", summary: "Starts its step from each completion.", steps: .exactly(1))
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        count.withLock { $0 += 1 }
        scope.start(steps[0]) { _ in start(steps, input: input, in: scope, completion: completion) }
      }
    }

    struct Count: AsyncPattern {
      static let manual = Manual(
        name: "count", summary: "Yields how often “again” has started a step.", steps: .none)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        completion(.success(.integer(count.withLock { $0 })))
      }
    }

    func holdMain() {
      DispatchQueue.main.async { while true { sleep(1000) } }
    }

    struct HoldsMain: AsyncPattern {
      static let manual = Manual(
        name: "holds-main", summary: "Blocks the main thread, and never ends.", steps: .none)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        holdMain()
        scope.start(.never("never"), completion: completion)
      }
    }

    struct HoldsMainAndEnds: AsyncPattern {
      static let manual = Manual(
        name: "holds-main-and-ends", summary: "Blocks the main thread, and ends.", steps: .none)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        holdMain()
        completion(.success(.none))
      }
    }

    struct Exits: AsyncPattern {
      static let manual = Manual(
        name: "exits", summary: "Ends the program with success.",
        parameters: [
          Parameter("by", .string, default: .string("exit"), summary: "the function to call")
        ], steps: .none)
      let function: String
      init(_ arguments: Arguments) throws { function = try arguments.string("by") }
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        switch function {
        case "_exit": _exit(0)
        case "_Exit": _Exit(0)
        case "quick_exit": quick_exit(0)
        default: exit(0)
        }
      }
    }
    """
}
