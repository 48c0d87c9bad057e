import AsyncSimulation

extension Scenario {
  static let continuations = [
    Scenario("another task resumes a continuation") {
      let waiting = Locked<CheckedContinuation<Int, Never>?>(nil)
      let resumer = Task {
        while true {
          if let continuation = waiting.withLock({ $0.take() }) {
            return continuation.resume(returning: 7)
          }
          await Task.yield()
        }
      }
      let value = await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
      }
      await resumer.value
      try check(value == 7)
    },
    Scenario("a continuation throws what it is resumed with") {
      do {
        try await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<Void, any Error>) in
          Task {
            try await Task.sleep(for: .seconds(1))
            continuation.resume(throwing: Failure(name: "resumed"))
          }
        }
        try check(false, "it threw nothing")
      } catch let failure as Failure {
        try check(failure.name == "resumed")
      }
    },
    Scenario(
      "a continuation is resumed by its value or its cancellation",
      outcomes: ["value", "cancelled"]
    ) {
      let latch = Latch()
      let waiter = Task { await latch.wait() }
      let opener = Task { latch.open() }
      let canceller = Task { waiter.cancel() }
      await canceller.value
      await opener.value
      return await waiter.value ? "value" : "cancelled"
    },
    Scenario("a channel without a buffer hands over each element, and its sender waits") {
      let channel = Channel()
      let journal = Journal()
      let sender = Task {
        for number in 1...3 {
          await channel.send(number)
          journal.note("sent \(number)")
        }
      }
      for number in 1...3 {
        let sent = journal.entries.count { $0.hasPrefix("sent") }
        try check(sent < number, "the sender did not wait")
        try check(await channel.receive() == number)
      }
      await sender.value
    },
    Scenario("a task cancels itself") {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        do {
          try await Task.sleep(for: .seconds(1))
          return false
        } catch {
          return Task.isCancelled
        }
      }
      try check(await task.value)
    },
    Scenario("a semaphore of continuations admits two") {
      let semaphore = PermitActor(permits: 2)
      let inside = Locked((now: 0, most: 0))
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...5 {
          group.addTask {
            await semaphore.acquire()
            inside.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            await Task.yield()
            inside.withLock { $0.now -= 1 }
            await semaphore.release()
          }
        }
      }
      try check(inside.withLock { $0.now } == 0)
      try check(inside.withLock { $0.most } <= 2)
    },
  ]
}

/// Opens once; a wait for it can be cancelled.
private final class Latch: Sendable {
  private enum State {
    case closed, open, cancelled
    case waiting(UnsafeContinuation<Bool, Never>)
  }

  private let state = Locked(State.closed)

  /// - Returns: whether it was opened.
  func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let end = state.withLock { state -> Bool? in
          switch state {
          case .open: return true
          case .cancelled: return false
          case .closed, .waiting:
            state = .waiting(continuation)
            return nil
          }
        }
        if let end { continuation.resume(returning: end) }
      }
    } onCancel: {
      end(as: .cancelled, returning: false)
    }
  }

  func open() { end(as: .open, returning: true) }

  private func end(as end: State, returning isOpen: Bool) {
    let continuation = state.withLock { state -> UnsafeContinuation<Bool, Never>? in
      switch state {
      case .open, .cancelled: return nil
      case .closed:
        state = end
        return nil
      case .waiting(let continuation):
        state = end
        return continuation
      }
    }
    continuation?.resume(returning: isOpen)
  }
}

private actor PermitActor {
  private var permits: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(permits: Int) { self.permits = permits }

  func acquire() async {
    if permits > 0 {
      permits -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func release() {
    if waiting.isEmpty {
      permits += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

/// Hands elements from a sender to a receiver.
private actor Channel {
  private var senders: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var receivers: [CheckedContinuation<Int, Never>] = []

  func send(_ number: Int) async {
    if receivers.isEmpty {
      await withCheckedContinuation { senders.append((number, $0)) }
    } else {
      receivers.removeFirst().resume(returning: number)
    }
  }

  func receive() async -> Int {
    if senders.isEmpty { return await withCheckedContinuation { receivers.append($0) } }
    let sender = senders.removeFirst()
    sender.continuation.resume()
    return sender.number
  }
}
