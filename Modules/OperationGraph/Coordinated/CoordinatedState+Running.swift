// Who is next, and what becomes of what runs.

extension CoordinatedState {
  // MARK: Starting

  /// The operation that is to start next, if one can: the most urgent of those whose resources are there.
  mutating func findNext(_ pool: inout ResourceState?, _ run: any ResourceUser) -> Int? {
    for group in ready.indices { dropStale(group) }
    guard places > 0, !isSuspended, !isStopped else {
      withdraw(&pool, run) { _ in true }
      return nil
    }
    if groups.count == 1 { return ready[0].first == nil ? nil : 0 }
    withdraw(&pool, run) { [ready] in ready[$0].first == nil }
    let heads = ready.indices.compactMap { group in ready[group].first.map { ($0.rank, group) } }
      .sorted { $0.0 < $1.0 }
    for (rank, group) in heads {
      guard group > 0, pool != nil else { return group }
      let claim = ResourceState.Claim(run: run, group: group, rank: rank, needs: groups[group])
      if pool?.canTake(claim) == true { return group }
      hasClaims = true
    }
    return nil
  }

  private mutating func withdraw(
    _ pool: inout ResourceState?, _ run: any ResourceUser, where isWithdrawn: (Int) -> Bool
  ) {
    guard hasClaims else { return }
    if let users = pool?.withdraw(run, where: isWithdrawn) { effects.lookers += users }
    hasClaims = pool?.claims.contains { $0.run === run } ?? false
  }

  /// Takes out what was cancelled or has changed its rank since it was put in.
  private mutating func dropStale(_ group: Int) {
    while let first = ready[group].first {
      if case .ready = nodes[Int(first.operation)].phase,
        nodes[Int(first.operation)].stamp == first.stamp
      {
        return
      }
      ready[group].removeFirst()
    }
  }

  /// Gives a place and what else it needs to the operation that is next, if one can start.
  mutating func takeNext(_ pool: inout ResourceState?, _ run: any ResourceUser) -> Int32? {
    guard let group = findNext(&pool, run), let first = ready[group].first else { return nil }
    ready[group].removeFirst()
    places -= 1
    if group > 0, let users = pool?.take(groups[group], run, group) { effects.lookers += users }
    if let leaver, leaver.arrival > nodes[Int(first.operation)].arrival,
      leaver.wasFull || leaver.hasGivenBack && group > 0
    {
      effects.events.append(.passedPlace(from: leaver.operation, to: first.operation))
    }
    setPhase(first.operation, .starting)
    return first.operation
  }

  /// A worker looks for something to start.
  ///
  /// - Returns: nil if there is nothing, and then it rests.
  mutating func takeNext(
    asWokenWorker isWoken: Bool, _ pool: inout ResourceState?, _ run: any ResourceUser
  ) -> Int32? {
    if isWoken { isWaking = false }
    if let operation = takeNext(&pool, run) { return operation }
    resting += 1
    return nil
  }

  /// An operation that was given a place starts.
  ///
  /// - Returns: nil if it was called off meanwhile.
  mutating func start(_ operation: Int32) -> CoordinatedStart? {
    let index = Int(operation)
    guard case .starting = nodes[index].phase else { return nil }
    setPhase(operation, .running)
    nodes[index].attempts += 1
    nodes[index].hasReturned = false
    nodes[index].earlyEnd = nil
    let work = graph.table.works[index]
    if case .starting = work { nodes[index].cancellation = Cancellation() }
    if nodes[index].attempts == 1 { records?[index].started = now }
    records?[index].attempts = nodes[index].attempts
    if isObserved || isTold {
      effects.events.append(.started(operation, attempt: nodes[index].attempts))
    }
    return CoordinatedStart(
      work: work, cancellation: nodes[index].cancellation, timeout: nodes[index].timeout,
      attempt: nodes[index].attempts)
  }

  // MARK: Ending

  /// The code that began the operation has returned.
  ///
  /// - Parameter hasEnded: whether that was its end.
  mutating func didReturn(_ operation: Int32, hasEnded: Bool, _ failure: (any Error)?) {
    let index = Int(operation)
    guard case .running = nodes[index].phase else { return }
    nodes[index].hasReturned = true
    if hasEnded { return finish(operation, failure) }
    if let early = nodes[index].earlyEnd.take() { finish(operation, early.failure) }
  }

  /// The operation, or its attempt, has come to its end. That counts as soon as the code that began it has
  /// returned.
  mutating func finish(_ operation: Int32, _ failure: (any Error)?) {
    let index = Int(operation)
    guard case .running = nodes[index].phase else { return }
    guard nodes[index].hasReturned else {
      nodes[index].earlyEnd = .init(failure: failure)
      return
    }
    leavePlace(operation)
    switch failure {
    case nil: end(operation, .succeeded)
    case let error as CancellationError:
      end(operation, .cancelled)
      if !nodes[index].isCalledOff { fail(operation, error) }
    case let error?:
      if let delay = nextDelay(operation) { return retry(operation, after: delay, error) }
      end(operation, .failed(error))
      fail(operation, error)
    }
  }

  mutating func leavePlace(_ operation: Int32) {
    let index = Int(operation)
    if isTold {
      leaver = Leaver(
        operation: operation, arrival: arrivals.next(), wasFull: places == 0,
        hasGivenBack: nodes[index].group > 0)
    }
    places += 1
    if nodes[index].group > 0 { givenBack.append(nodes[index].group) }
    if let timer = nodes[index].timer.take() { effects.timers.append(timer) }
    if let cancellation = nodes[index].cancellation.take() {
      effects.discarded.append(cancellation)
    }
  }

  mutating func giveBack(_ pool: inout ResourceState?, _ run: any ResourceUser) {
    for group in givenBack {
      if let users = pool?.give(groups[group], run) { effects.lookers += users }
    }
    givenBack.removeAll(keepingCapacity: true)
  }

  /// What a failure does to the run.
  mutating func fail(_ operation: Int32, _ error: any Error) {
    failures.append(GraphFailures.Failure(operation: name(of: operation), error: error))
    if reason == nil { reason = error }
    if policy == .stop { stop() }
  }

  // MARK: Again

  /// How long until the next attempt; nil if there is none.
  private func nextDelay(_ operation: Int32) -> Duration? {
    let node = nodes[Int(operation)]
    guard let retry = node.retry, node.attempts < retry.attempts, !node.isCalledOff, !isStopped
    else { return nil }
    return retry.delay(after: node.attempts)
  }

  private mutating func retry(_ operation: Int32, after delay: Duration, _ error: any Error) {
    if isObserved || isTold {
      effects.events.append(
        .failedAttempt(operation, attempt: nodes[Int(operation)].attempts, error))
    }
    guard delay > .zero else { return becomeReady(operation) }
    setPhase(operation, .delayed)
    effects.delays.append((operation, nodes[Int(operation)].attempts, delay))
  }

  /// The timer of the next attempt has been set.
  ///
  /// - Returns: false if it is not needed any more.
  mutating func keepTimer(
    _ operation: Int32, attempt: Int, _ timer: any Cancellable
  ) -> Bool {
    let node = nodes[Int(operation)]
    guard node.attempts == attempt else { return false }
    switch node.phase {
    case .delayed, .running:
      nodes[Int(operation)].timer = timer
      return true
    default: return false
    }
  }

  /// The time of the next attempt has come.
  mutating func delayIsOver(_ operation: Int32, attempt: Int) {
    guard case .delayed = nodes[Int(operation)].phase, nodes[Int(operation)].attempts == attempt
    else { return }
    nodes[Int(operation)].timer = nil
    becomeReady(operation)
  }
}

/// An operation that has left its place.
struct Leaver: Sendable {
  let operation: Int32
  /// Who became ready before has waited for it, or for what it held.
  let arrival: UInt64
  /// Whether there was no other place.
  let wasFull: Bool
  /// Whether it held resources.
  let hasGivenBack: Bool
}

/// What whoever starts an operation has to know.
struct CoordinatedStart: Sendable {
  let work: OperationWork
  /// Tells this attempt that it is called off; nil for a function that ends when it returns.
  let cancellation: Cancellation?
  let timeout: Duration?
  let attempt: Int
}

extension Retry {
  /// The wait after so many attempts.
  func delay(after attempts: Int) -> Duration {
    guard delay > .zero, factor > 1, attempts > 1 else { return max(delay, .zero) }
    // Longer than this nobody waits, and the product of still longer ones is no duration.
    let longest = Duration.seconds(100 * 365 * 86_400)
    var growth = 1.0
    for _ in 1..<attempts {
      growth *= factor
      if growth >= longest / delay { return longest }
    }
    return delay * growth
  }
}
