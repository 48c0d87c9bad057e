import AsyncPatterns
import SerialQueue

/// `serial.chain`: steps in a `HandlerChain`.
struct ChainPattern: AsyncPattern {
  static let manual = Manual(
    name: "serial.chain",
    summary: "Runs its steps one after another, as handlers that each call then.",
    discussion: """
      The way of GSPromise and its manager: a list of handlers, each of which gets a “then” and calls \
      it when the next one may run. Values flow and failures skip to the end as with serial.

      The traps of the original: it checks a “working” flag and sets it afterwards, without a lock, so \
      that two handlers may start; a second “then” drops a handler or runs one twice; a “then” called \
      at once recurses, and a long chain overflows the stack. The way out is a HandlerChain, which \
      this is: it decides under a lock, reports the second “then” and ignores it, and loops.
      """,
    ordering: .keepsOrder,
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
        sequence.start(index) { goesOn in
          if !goesOn { chain.cancelPending() }
          then()
        }
      }
    }
    chain.onEnd { completion(sequence.result) }
  }
}
