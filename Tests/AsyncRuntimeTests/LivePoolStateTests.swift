import Testing

@testable import AsyncRuntime

/// Checks which workers of a pool are woken. Nothing runs here.
@Suite struct LivePoolStateTests {
  private typealias State = LivePoolState

  /// A readable form of a step: which job to run, and which worker to wake before that.
  private func text(_ step: State.Step, _ ran: Locked<[Int]>) -> String {
    switch step {
    case .run(let job, let scout):
      job.run()
      return "run \(ran.withLock { $0.last! })" + (scout.map { ", wake \($0)" } ?? "")
    case .look: return "look"
    case .sleep: return "sleep"
    }
  }

  private func job(_ number: Int, _ ran: Locked<[Int]>) -> Job {
    Job { ran.withLock { $0.append(number) } }
  }

  @Test func `while one worker wakes up, no other one is woken`() {
    var state = State(width: 3)
    let ran = Locked<[Int]>([])
    #expect(state.append(job(1, ran)) == 0)
    #expect(state.append(job(2, ran)) == nil)
    #expect(state.append(job(3, ran)) == nil)
    // Each worker wakes the next one before it runs its own job, so that three jobs run in parallel.
    #expect(text(state.step(of: 0, after: .woken), ran) == "run 1, wake 1")
    #expect(text(state.step(of: 1, after: .woken), ran) == "run 2, wake 2")
    #expect(text(state.step(of: 2, after: .woken), ran) == "run 3")
  }

  @Test func `a job that comes while workers run wakes another one`() {
    var state = State(width: 2)
    let ran = Locked<[Int]>([])
    #expect(state.append(job(1, ran)) == 0)
    #expect(text(state.step(of: 0, after: .woken), ran) == "run 1")
    #expect(state.append(job(2, ran)) == 1)
    // The first worker is faster than the woken one, which then finds no job.
    #expect(text(state.step(of: 0, after: .ranJob), ran) == "run 2")
    #expect(text(state.step(of: 1, after: .woken), ran) == "look")
  }

  @Test func `a worker that looks takes the next job, and wakes another one for more`() {
    var state = State(width: 2)
    let ran = Locked<[Int]>([])
    #expect(state.append(job(1, ran)) == 0)
    #expect(text(state.step(of: 0, after: .woken), ran) == "run 1")
    #expect(text(state.step(of: 0, after: .ranJob), ran) == "look")
    #expect(state.append(job(2, ran)) == nil)
    #expect(state.append(job(3, ran)) == nil)
    #expect(text(state.step(of: 0, after: .looked), ran) == "run 2, wake 1")
  }

  @Test func `a worker looks once, one at a time, and then sleeps`() {
    var state = State(width: 2)
    let ran = Locked<[Int]>([])
    #expect(state.append(job(1, ran)) == 0)
    #expect(state.append(job(2, ran)) == nil)
    #expect(text(state.step(of: 0, after: .woken), ran) == "run 1, wake 1")
    #expect(text(state.step(of: 1, after: .woken), ran) == "run 2")
    #expect(text(state.step(of: 1, after: .ranJob), ran) == "look")
    #expect(text(state.step(of: 0, after: .ranJob), ran) == "sleep")
    #expect(text(state.step(of: 1, after: .looked), ran) == "sleep")
    // The worker that had a job most recently is woken first.
    #expect(state.append(job(3, ran)) == 1)
  }

  @Test func `a job waits only if more jobs have come than workers are free`() {
    var state = State(width: 2)
    let ran = Locked<[Int]>([])
    #expect(!state.isBusy)
    _ = state.append(job(1, ran))
    #expect(!state.isBusy)
    _ = state.append(job(2, ran))
    // Both workers are about to take these jobs.
    #expect(state.isBusy)
    #expect(!state.hasWaiting)
    _ = state.append(job(3, ran))
    #expect(state.hasWaiting)
    #expect(text(state.step(of: 0, after: .woken), ran) == "run 1, wake 1")
    #expect(text(state.step(of: 1, after: .woken), ran) == "run 2")
    #expect(state.isBusy)
    #expect(state.hasWaiting)
    #expect(text(state.step(of: 1, after: .ranJob), ran) == "run 3")
    #expect(state.isBusy)
    #expect(!state.hasWaiting)
  }
}
