import AsyncPatterns
import SerialQueue

/// `serial.semaphore`: steps in a `BlockingSerialQueue`.
struct BlockingSerialPattern: AsyncPattern {
  static let manual = Manual(
    name: "serial.semaphore",
    summary: "Runs its steps one after another and blocks a thread while each of them runs.",
    discussion: """
      This works like BRYSerialAnimationQueue: a serial queue makes a semaphore for each step, \
      keeps it in a property, starts the step on the main lane and waits; the step's completion \
      signals the semaphore that the property holds at that time. Values are passed on and \
      failures skip the remaining steps, as with serial.

      The traps: a thread is blocked from the first step to the last. A step that never completes \
      (try never) blocks it forever. A step that completes twice (try twice) signals the \
      semaphore of the step after it, so the step after that starts too early: two steps overlap, \
      and the pattern completes before its last step, whose failure is then lost.

      The fix is serial: the same order, no blocked thread, and a second completion has no effect.
      """,
    ordering: .keepsOrder, isUnguarded: true, blocksThread: true,
    breaks: [.blocksNoThread, .deliversFailure],
    differsFrom: "serial, which blocks no thread",
    seeAlso: ["serial"],
    examples: [
      "serial.semaphore { fadeIn: sleep 30ms; fadeOut: sleep 30ms }",
      "serial.semaphore { a: twice 20ms; b: sleep 50ms; c: sleep 50ms }",
    ])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let sequence = StepSequence(steps, input: input, in: scope)
    let queue = BlockingSerialQueue("serial.semaphore", runtime: scope.runtime)
    for index in steps.indices {
      queue.enqueue { end in
        sequence.start(index) { _ in end() }
      }
    }
    queue.onTurn { completion(sequence.result) }
  }
}
