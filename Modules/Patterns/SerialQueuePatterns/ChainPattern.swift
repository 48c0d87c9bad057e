import AsyncPatterns
import SerialQueue

/// `serial.chain`: steps in a `HandlerChain`.
struct ChainPattern: AsyncPattern {
  static let manual = Manual(
    name: "serial.chain",
    summary: "Runs its steps one after another, as handlers that each call “then”.",
    discussion: """
      This works like GSPromise and its manager: a list of handlers, each of which gets a “then” \
      and calls it when the next one may run. Values are passed on and failures skip the remaining \
      steps, as with serial.

      The traps of the original: it checks a “working” flag and sets it afterwards, without a \
      lock, so two handlers may start; a second “then” drops a handler or runs one twice; a “then” \
      that is called immediately recurses, and a long chain overflows the stack. The fix is a \
      HandlerChain, which this pattern uses: it decides under a lock, reports the second “then” \
      and ignores it, and loops.
      """,
    ordering: .keepsOrder,
    differsFrom: "serial, where an item ends by itself, without calling the next one",
    seeAlso: ["serial", "serial.nested", "promise"],
    examples: ["serial.chain { fadeIn: sleep 300ms; pause: sleep 3s; fadeOut: sleep 300ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let sequence = StepSequence(steps, input: input, in: scope)
    // The scope records the steps.
    let chain = HandlerChain(on: .inline, runtime: scope.runtime, isTraced: false)
    for index in steps.indices {
      chain.append { then in
        sequence.start(index) { continues in
          if !continues { chain.cancelPending() }
          then()
        }
      }
    }
    chain.onCompletion { completion(sequence.result) }
  }
}
