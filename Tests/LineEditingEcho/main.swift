import CoreFoundation
import Dispatch
import Foundation
import LineEditing
import Synchronization

// A program with a prompt and nothing else. It prints each input, so that a test can see it. `run` stays in the
// foreground until Ctrl-C or SIGUSR2. SIGUSR1 prints something above the prompt. SIGUSR2 at the prompt starts a run by
// itself. `hold` blocks the main thread until Ctrl-C.

let environment = ProcessInfo.processInfo.environment
let editor = LineEditor(
  prompt: "\u{1B}[1mecho>\u{1B}[0m ", continuationPrompt: "....> ",
  historyFile: LineEditor.defaultHistoryFile(environment: environment),
  color: environment["NO_COLOR"] == nil)
let words = ["serial", "serial.semaphore", "serial.chain", "promise", "é-accent"]
var isRunning = false
let isHolding = Atomic(false)
let release = DispatchSemaphore(value: 0)

editor.needsMore = { text in
  text.count { $0 == "{" } > text.count { $0 == "}" }
}
editor.onBlock = { block in
  switch block {
  case "quit":
    editor.stop()
    exit(0)
  case "run":
    isRunning = true
    editor.suspend()
    print("running")
  case "hold":
    isHolding.store(true, ordering: .sequentiallyConsistent)
    print("holding")
    release.wait()
    print("released")
  case "pid":
    print("pid \(getpid()) end of pid")
  default:
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
    print("block[\(lines.count)]: \(lines.joined(separator: "|"))")
  }
}
editor.onSignal = { number in
  if number != SIGINT { PromptSignals.endProgram(by: number) }
  let isHeld = isHolding.exchange(false, ordering: .sequentiallyConsistent)
  if isHeld { release.signal() }
  return isHeld
}
editor.onCancelled = { editor.printAbove("cancelled") }
editor.onInterrupt = {
  print(isRunning ? "run interrupted" : "nothing to interrupt")
  isRunning = false
  editor.resume()
}
editor.onEndOfInput = {
  print("goodbye")
  editor.stop()
  exit(7)
}
editor.complete = { text in
  let separators: Set<Character> = [" ", "\n", "{", ";", "\""]
  let word = text.suffix { !separators.contains($0) }
  let start = text.utf8.count - word.utf8.count
  let isPath = text.dropLast(word.count).last == "\""
  let found = isPath ? ["some/path-1.d/file", "some/path-1.d/final"] : words
  return found.filter { $0.hasPrefix(word) }.map {
    WordCompletion($0, replacingFrom: start, suffix: isPath ? "\"" : " ")
  }
}

func signalSource(_ number: Int32, _ act: @escaping @MainActor () -> Void)
  -> any DispatchSourceSignal
{
  let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
  source.setEventHandler { MainActor.assumeIsolated { act() } }
  source.activate()
  return source
}
let sources = [
  signalSource(SIGUSR1) { editor.printAbove("tick: something happened") },
  signalSource(SIGUSR2) {
    if isRunning {
      print("run finished")
      editor.resume()
    } else {
      editor.suspend()
      print("run by itself")
    }
    isRunning.toggle()
  },
]

editor.start()
CFRunLoopRun()

extension String {
  fileprivate func suffix(while matches: (Character) -> Bool) -> Substring {
    self[(lastIndex { !matches($0) }.map { index(after: $0) } ?? startIndex)...]
  }
}
