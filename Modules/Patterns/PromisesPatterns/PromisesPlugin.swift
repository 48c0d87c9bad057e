public import AsyncPatterns
import Promises

/// The patterns of promises.
public struct PromisesPlugin: Plugin {
  public static let name = "Promises"
  public static let summary = "Promises: chains of future results, with typed errors."
  public static let patterns: [any AsyncPattern.Type] = [
    PromisePattern.self, AllPattern.self, AnyPattern.self, RacePattern.self, SettledPattern.self,
    TaskPattern.self, TimeoutPattern.self, RetryPattern.self, DelayPattern.self,
    RecoverPattern.self,
  ]
}

@_cdecl("async_pattern_plugin_Promises")
public func promisesPlugin() -> UnsafePointer<async_pattern_plugin> {
  async_pattern_handshake { PromisesPlugin.describe(to: $0) }
}

/// `promise`: steps as a chain of `then`.
struct PromisePattern: AsyncPattern {
  static let manual = Manual(
    name: "promise",
    summary: "Chains its steps with “then”: each step's value is the next one's input.",
    discussion: """
      Each step is a promise, and “then” links it to the one before: it starts when that one is \
      fulfilled, with its value. The last value is the result. A failure skips the remaining steps \
      and is the result; after a cancellation, no more steps start.

      The traps of other libraries: a chain of links that are settled immediately recurses, and \
      overflows the stack at about ten thousand of them; each link costs a hop to the main queue; \
      and a promise that is resolved twice does not report it. Here a chain is a loop, links of \
      steps run inline, and the second call is reported.

      “on” says where the handlers run that start the steps: inline, which is where the step \
      before has ended; on main; or on the pool.
      """,
    parameters: [
      Parameter(
        "on", .word(["inline", "main", "pool"]), default: .string("inline"),
        summary: "where each step is started")
    ],
    ordering: .keepsOrder,
    differsFrom: "serial, which can also run the steps after a failure, or limit the time of each",
    seeAlso: ["serial", "swift.sequence", "task", "timeout", "retry", "recover", "delay"],
    examples: [
      "promise { fetch: sleep 20ms; parse: work 5ms }",
      """
      promise { a: value 1; b: fail "no such page"; c: value 3 }
      expect outcome == failure
      """,
      "promise(on: main) { fetch: sleep 20ms; draw: work 5ms }",
    ])

  private let placement: Placement

  init(_ arguments: Arguments) throws {
    placement =
      switch try arguments.string("on") {
      case "main": .main
      case "pool": .pool
      default: .inline
      }
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.complete(completion, with: scope.chain(of: steps, input: input, on: placement))
  }
}
