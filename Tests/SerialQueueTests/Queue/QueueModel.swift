import AsyncSimulation
import SerialQueue

/// Predicts what a queue does with a program, from the sentences of its documentation alone.
struct QueueModel {
  private struct Queued {
    var item: Int
    let priority: Priority
    let isBarrier: Bool
  }

  private struct Running {
    let item: Int
    let isBarrier: Bool
    var end: Duration
    var outcome: String
    var isCancelled = false
  }

  private(set) var history: QueueHistory
  private let program: QueueProgram
  private var now = Duration.zero
  /// The queued items, by place.
  private var queued: [Queued] = []
  private var running: [Running] = []
  private var isSuspended = false
  private var isStopped = false

  init(_ program: QueueProgram) {
    self.program = program
    history = QueueHistory(program)
    for (number, action) in program.actions.enumerated() {
      let time = QueueProgram.time(number)
      endItems(before: time)
      now = time
      perform(action)
      startItems()
    }
    endItems()
    // The last reference to the queue is released. No code can resume it now.
    if isSuspended { failQueued("abandoned") }
  }

  // MARK: Actions

  private mutating func perform(_ action: QueueProgram.Action) {
    switch action {
    case .enqueue(let number): enqueue(number)
    case .cancel(let number): cancel(number)
    case .cancelPending: failQueued("cancelled")
    case .cancelAll:
      failQueued("cancelled")
      for item in running { cancel(item.item) }
    case .suspend: isSuspended = true
    case .resume: (isSuspended, isStopped) = (false, false)
    }
  }

  private mutating func enqueue(_ number: Int) {
    let item = program.items[number]
    if isStopped { return history.end(number, "stopped") }
    if let key = item.key,
      let place = queued.firstIndex(where: { program.items[$0.item].key == key })
    {
      switch item.rule {
      case .firstWins: history.end(number, "superseded")
      case .latestWins:
        history.end(queued[place].item, "superseded")
        // The newer item gets the place, the priority and the barrier of the older one.
        queued[place].item = number
      }
      return
    }
    if let bound = program.bound, queued.count + running.count >= bound {
      return history.end(number, "full")
    }
    queued.append(Queued(item: number, priority: item.priority, isBarrier: item.isBarrier))
  }

  private mutating func cancel(_ number: Int) {
    if let place = queued.firstIndex(where: { $0.item == number }) {
      queued.remove(at: place)
      history.end(number, "cancelled")
    }
    guard let place = running.firstIndex(where: { $0.item == number }) else { return }
    running[place].isCancelled = true
    // An item that does not end when cancelled ends as if it had not been cancelled.
    guard program.items[number].endsWhenCancelled else { return }
    running[place].end = now
    running[place].outcome = "cancelled"
  }

  private mutating func failQueued(_ outcome: String) {
    for place in queued { history.end(place.item, outcome) }
    queued = []
  }

  // MARK: Starts and ends

  /// The place of the item that starts next: of the items before the first barrier, the first one with the highest
  /// priority. A barrier waits for all items before it.
  private var next: Int? {
    let free = queued.prefix { !$0.isBarrier }
    if let highest = free.map(\.priority).max() {
      return free.firstIndex { $0.priority == highest }
    }
    return queued.isEmpty || !running.isEmpty ? nil : 0
  }

  private mutating func startItems() {
    while !isSuspended, !isStopped, running.count < program.width,
      !running.contains(where: \.isBarrier), let place = next
    {
      let (number, isBarrier) = (queued[place].item, queued[place].isBarrier)
      queued.remove(at: place)
      history.start(number, at: now)
      let item = program.items[number]
      var started = Running(
        item: number, isBarrier: isBarrier, end: now + item.duration,
        outcome: item.fails ? "failed" : "ok")
      if let timeout = item.timeout ?? program.timeout, timeout < item.duration {
        (started.end, started.outcome) = (now + timeout, "timed out")
      }
      running.append(started)
    }
  }

  /// - Parameter time: if nil, all items end: those that are running, and those that start when others end.
  private mutating func endItems(before time: Duration? = nil) {
    while let next = running.min(by: { $0.end < $1.end }), time.map({ next.end < $0 }) ?? true {
      now = next.end
      running.removeAll { $0.item == next.item }
      history.end(next.item, next.outcome)
      // A cancelled item has not failed, however it ends.
      if next.outcome != "ok", !next.isCancelled { react() }
      startItems()
    }
  }

  private mutating func react() {
    switch program.onFailure {
    case .continue: break
    case .suspend: isSuspended = true
    case .stop:
      isStopped = true
      failQueued("stopped")
    }
  }
}
