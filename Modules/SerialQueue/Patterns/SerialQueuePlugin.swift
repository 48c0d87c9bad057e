/// The serial patterns: this module's queue, its handler chain, and the blocking original.
public struct SerialQueuePlugin: Plugin {
  public static let name = "SerialQueue"
  public static let summary = "One step after another: without a thread, and with one blocked."
  public static let patterns: [any AsyncPattern.Type] = [
    SerialPattern.self, BlockingSerialPattern.self, ChainPattern.self,
  ]
}

@_cdecl("async_pattern_plugin_SerialQueue")
public func serialQueuePlugin() -> UnsafePointer<async_pattern_plugin> {
  async_pattern_handshake { SerialQueuePlugin.describe(to: $0) }
}

/// `serial`: steps in a `SerialQueue`.
struct SerialPattern: AsyncPattern {
  static let manual = Manual(
    name: "serial",
    summary: "Runs its steps one after another and blocks no thread.",
    discussion: """
      Each step is an item of a SerialQueue: it starts when the one before it has completed, with \
      that one's value as its input. The last value is the result. A failure skips to the end and is \
      the result; cancelling starts nothing more.

      The trap is to mistake “returned” for “completed”: a Dispatch queue starts the next block when \
      the one before it has returned, long before its asynchronous work is done. Parking a thread \
      until then, as serial.semaphore does, buys order with a blocked thread. Here an item ends when \
      it says so, and until then nothing waits but a few bytes.

      Steps run on the lane that completed the one before them: steps that complete at once cost no hop.
      """,
    ordering: .keepsOrder,
    examples: [
      "serial { fetch: sleep 20ms; parse: work 5ms }",
      """
      serial { a: value 1; b: fail "no such page"; c: value 3 }
      expect outcome == failure
      """,
    ])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let sequence = StepSequence(steps, input: input, in: scope)
    let queue = SerialQueue("serial", on: .inline, runtime: scope.runtime)
    for index in steps.indices {
      queue.enqueue { done in
        sequence.start(index) { goesOn in
          if !goesOn { queue.cancelPending() }
          done()
        }
      }
    }
    queue.onDrained { completion(sequence.result) }
  }
}

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
    let chain = HandlerChain(on: .inline, runtime: scope.runtime)
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

/// `serial.semaphore`: steps in a `BlockingSerialQueue`.
struct BlockingSerialPattern: AsyncPattern {
  static let manual = Manual(
    name: "serial.semaphore",
    summary: "Runs its steps one after another and parks a thread while each of them runs.",
    discussion: """
      The way of BRYSerialAnimationQueue: a serial queue makes a semaphore for each step, keeps it in \
      a property, starts the step on the main lane and waits; the step's completion signals the \
      semaphore that the property holds by then. Values flow and failures skip to the end as with serial.

      The traps: a thread stands blocked from the first step to the last. A step that never completes \
      (try never) holds it for ever. A step that completes twice (try twice) signals the semaphore of \
      the step after it, so that the next but one starts too early: two steps overlap, and the whole \
      completes before its last step has, whose failure then gets lost.

      The way out is serial: the same order, no thread, and a second completion has no effect.
      """,
    ordering: .keepsOrder, isUnguarded: true, blocksThread: true,
    breaks: [.blocksNoThread, .deliversFailure],
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
