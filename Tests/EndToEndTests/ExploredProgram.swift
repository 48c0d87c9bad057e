import Foundation
import TerminalTesting

/// A program that does not use the playground. Its argument selects its behaviour.
enum ExploredProgram {
  /// Its path; the program is compiled only once.
  static var path: String { get async throws { try await compiled.value } }
  /// The path of the optimized program, which is also compiled only once.
  static var optimizedPath: String { get async throws { try await optimized.value } }

  private static let compiled = Task { try await compile("explored", "-Onone") }
  private static let optimized = Task { try await compile("optimized", "-O") }

  private static func compile(_ name: String, _ option: String) async throws -> String {
    let folder = builtProgram("EndToEndTests.\(name)")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try source.write(toFile: folder + "/Explored.swift", atomically: true, encoding: .utf8)
    try await Shell.run(
      "swiftc", "-g", option, "-parse-as-library", "Explored.swift", "-o", name, in: folder)
    return folder + "/" + name
  }

  private static let source = """
    import Dispatch
    import Foundation

    actor Cache {
      private var stored: [String: Int] = [:]
      private(set) var fetches = 0
      func value(_ key: String) async throws -> Int {
        if let value = stored[key] { return value }
        fetches += 1
        try await Task.sleep(for: .seconds(3600))
        stored[key] = 7
        return 7
      }
    }

    func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

    actor Gate {
      private var waiter: CheckedContinuation<Void, Never>?
      func wait() async { await withCheckedContinuation { waiter = $0 } }
      func open() { waiter?.resume() }
      func block() { usleep(3_000) }
    }

    actor Counter {
      private(set) var value = 0
      func count() async { value += 1 }
    }

    actor Slow {
      func hold(_ entered: CheckedContinuation<Void, Never>, until coming: DispatchSemaphore) {
        entered.resume()
        coming.wait()
        Program.compute()
      }
      func touch() {}
    }

    struct Failure: Error {}

    let table: [Int] = {
      usleep(50_000)
      return [1, 2, 3]
    }()

    final class QueueExecutor: TaskExecutor {
      let queue = DispatchQueue(label: "executor")
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }

    @main struct Program {
      static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "crash": try await fetchTwice { precondition($0 == 1, "fetched \\($0) times") }
        case "exit": try await fetchTwice { if $0 != 1 { exit(3) } }
        case "killed": kill(getpid(), SIGKILL)
        case "busy":
          // Eight more tasks make so many schedules that no search tries them all.
          for _ in 1...8 { Task { await Task.yield() } }
          try await fetchTwice { if $0 != 1 { exit(3) } }
        case "yield":
          await withTaskGroup(of: Void.self) { group in
            for _ in 1...8 { group.addTask { await Task.yield() } }
          }
        case "lost":
          let gate = Gate()
          let opener = Task(name: "opener") { await gate.open() }
          await gate.wait()
          await opener.value
          print("opened")
        case "work", "trap":
          let gate = Gate()
          let worker = Task(name: "worker") {
            try await Task.sleep(for: .milliseconds(1))
            await gate.open()
          }
          await gate.wait()
          if arguments.first == "trap" { fatalError("trapped") }
          _ = await worker.result
          print("worked")
          exit(5)
        case "listen":
          let (numbers, adder) = AsyncStream.makeStream(of: Int.self)
          let counter = Counter()
          Task(name: "listener") { for await _ in numbers { await counter.count() } }
          for number in 1...100 {
            adder.yield(number)
            while await counter.value < number { await Task.yield() }
          }
        case "thread":
          Thread {
            usleep(10_000)
            print("the thread sees", table.count)
          }.start()
          print("main sees", table.count)
        case "read":
          let pipe = Pipe()
          _ = await Task.detached(name: "reader") { pipe.fileHandleForReading.readDataToEndOfFile() }.value
        case "drain": await drain()
        case "spin": await Task(name: "stubborn") { compute() }.value
        case "lock":
          let (lock, coming) = (NSLock(), DispatchSemaphore(value: 0))
          lock.lock()
          let waiter = Task.detached(name: "waiter") {
            coming.signal()
            lock.withLock { compute() }
          }
          block(on: coming)
          usleep(30_000)
          lock.unlock()
          await waiter.value
        case "starve":
          let (started, never) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
          let blockers = ProcessInfo.processInfo.activeProcessorCount
          for _ in 1...blockers {
            Task.detached(name: "blocker") {
              started.signal()
              block(on: never)
            }
          }
          for _ in 1...blockers { block(on: started) }
          Task.detached(name: "starved") {}
          usleep(40_000)
          exit(0)
        case "queue":
          let (slow, coming) = (Slow(), DispatchSemaphore(value: 0))
          await withCheckedContinuation { entered in
            Task.detached(name: "holder") { await slow.hold(entered, until: coming) }
          }
          // The main actor has a thread of its own, which the blocked task does not hold.
          await Task(name: "waiter") { @MainActor in
            coming.signal()
            await slow.touch()
          }.value
        case "parent":
          let child = Process()
          child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
          child.arguments = ["work"]
          try child.run()
          child.waitUntilExit()
          print("child exited with", child.terminationStatus)
        case "compute": compute()
        case "compute-killed":
          Task(name: "sleeper") { try await Task.sleep(for: .seconds(3600)) }
          try await Task.sleep(for: .milliseconds(1))
          compute()
          kill(getpid(), SIGKILL)
        case "leave": _exit(6)
        case "faults": await makeFaults()
        case "errors": await makeErrors()
        case "many": await makeMany()
        case "block":
          pause()
        case "wait":
          // This runs once the main actor is free, so the program is already waiting.
          DispatchQueue.main.async { print("waiting") }
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        case "say":
          print(readLine() ?? "nothing", getenv("LD_PRELOAD").map { String(cString: $0) } ?? "none")
        case "outside":
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              // The task has suspended by then.
              usleep(1_000)
              continuation.resume()
            }
          }
        default:
          try await Task.sleep(for: .seconds(3600))
          print("well")
        }
      }

      /// So many tasks, hops and threads that the records do not fit in the buffers of their threads.
      static func makeMany() async {
        let counter = Counter()
        await withTaskGroup { group in
          for _ in 0..<500 {
            group.addTask { for _ in 0..<5 { await counter.count() } }
            group.addTask { await counter.count() }
          }
        }
        for _ in 0..<200 {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume() }
          }
        }
        print(await counter.value)
      }

      /// One task for each thing that a recording shows.
      static func makeFaults() async {
        let gate = Gate()
        let failing = Task(name: "failing") { throw Failure() }
        let cancelled = Task(name: "cancelled") { try await Task.sleep(for: .seconds(60)) }
        try? await Task.sleep(for: .milliseconds(1))
        cancelled.cancel()
        _ = await (failing.result, cancelled.result)
        let canceller = Task(name: "canceller") {
          try await withThrowingTaskGroup { group in
            group.addTask(name: "member") {
              try await withThrowingTaskGroup { inner in
                inner.addTask(name: "part") { try await Task.sleep(for: .seconds(60)) }
                try await inner.waitForAll()
              }
            }
            try await Task.sleep(for: .milliseconds(1))
            group.cancelAll()
            try await group.waitForAll()
          }
        }
        _ = await canceller.result
        await withTaskGroup { group in
          for number in 1...3 {
            group.addTask(name: "user-\\(number)") { await gate.block() }
          }
        }
        Task.immediate(name: "immediate") { await gate.open() }
        Task(name: "lost") { await gate.wait() }
        await Task(name: "computing") { compute() }.value
        await fillStreams()
        try? await combine()
        try? await Task.sleep(for: .milliseconds(10))
      }

      @MainActor static var loop: Task<Void, any Error>?

      /// Only the error of “forgotten” is lost, and no code refers to “outliving” when it resumes.
      @MainActor static func makeErrors() async {
        await Task(name: "forgetful") {
          Task(name: "forgotten") {
            try await Task.sleep(for: .milliseconds(1))
            throw Failure()
          }
          Task(name: "outliving") { try await Task.sleep(for: .milliseconds(20)) }
          loop = Task(name: "loop") { while true { try await Task.sleep(for: .milliseconds(1)) } }
          try? await Task.sleep(for: .milliseconds(5))
        }.value
        await withTaskGroup { group in
          for _ in 0..<4 {
            group.addTask {
              for _ in 0..<500 {
                _ = await Task {
                  await Task.yield()
                  throw Failure()
                }.result
              }
            }
          }
        }
        await withTaskExecutorPreference(QueueExecutor()) {
          async let bad: Void = failLater()
          try? await bad
        }
        let kept = Task(name: "kept") { try await failLater() }
        try? await Task.sleep(for: .milliseconds(30))
        _ = await kept.result
      }

      static func failLater() async throws {
        try await Task.sleep(for: .milliseconds(1))
        throw Failure()
      }

      static func combine() async throws {
        async let bad: Void = fail()
        async let unneeded: Void = Task.sleep(for: .seconds(60))
        async let good = 1
        _ = try await (bad, unneeded, good)
      }

      static func fail() async throws {
        try await Task.sleep(for: .milliseconds(1))
        throw Failure()
      }

      static func fillStreams() async {
        let (numbers, unlimited) = AsyncThrowingStream.makeStream(of: Int.self)
        let (latest, limited) = AsyncStream.makeStream(
          of: Int.self, bufferingPolicy: .bufferingNewest(8))
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        await Task(name: "flooding") {
          for number in 0..<2_000 {
            unlimited.yield(number)
            limited.yield(number)
            signal.yield()
            if number % 100 == 0 { usleep(3_000) }
          }
        }.value
        withExtendedLifetime((numbers, latest, signals)) {}
      }

      /// Fills one stream from two places, and empties it more slowly.
      static func drain() async {
        let (numbers, adder) = AsyncStream.makeStream(of: Int.self)
        Task(name: "producer") {
          for number in 0..<500 {
            if number < 250 { adder.yield(number) } else { adder.yield(-number) }
          }
          adder.finish()
        }
        var count = 0
        for await _ in numbers {
          count += 1
          if count % 50 == 0 { try? await Task.sleep(for: .milliseconds(1)) }
        }
      }

      static func compute() {
        let end = ContinuousClock.now + .milliseconds(20)
        while ContinuousClock.now < end {}
      }

      static func fetchTwice(_ check: (Int) -> Void) async throws {
        let cache = Cache()
        async let first = cache.value("x")
        async let second = cache.value("x")
        _ = try await (first, second)
        check(await cache.fetches)
      }
    }
    """
}
