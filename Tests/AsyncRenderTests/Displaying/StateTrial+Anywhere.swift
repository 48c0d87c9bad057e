import Testing

@testable import AsyncRender

/// Events that may happen on any lane.
extension StateTrial {
  mutating func cancel() {
    call {
      $0.cancel(&$1)
    } expecting: { model in
      model.isMarked = false
      return model.cancelCurrent()
    }
    expectTold(.failure(.cancelled))
  }

  mutating func vanish() {
    // While the layer is displayed, the caller retains it.
    guard !model.isOnStack else { return }
    call {
      $0.vanish(&$1)
    } expecting: { model in
      guard !model.isGone else { return (nil, nil) }
      model.isGone = true
      model.isMarked = false
      model.contents = nil
      return model.cancelCurrent()
    }
    expectTold(.failure(.layerGone))
  }

  mutating func expectTold(_ result: Result<Picture?, DisplayError>) {
    for waiter in model.waiters.keys {
      #expect(reported.withLock { $0[waiter] } == [result.summary])
    }
    model.waiters = [:]
  }

  mutating func suspendOrResume() {
    let suspends = !model.isSuspended
    call { state, effects in
      if suspends { state.suspend(&effects) } else { state.resume() }
    } expecting: { model in
      model.isSuspended = suspends
      guard suspends, model.current != nil else { return (nil, nil) }
      model.isMarked = true
      return model.cancelCurrent()
    }
  }

  mutating func setUp() {
    let policies: [DisplayPolicy] = [
      .cancelLatest, .finishThenLatest, .atLeastEvery(3), .atLeastEvery(0),
    ]
    let policy = policies.randomElement(using: &random) ?? .cancelLatest
    let isAsynchronous = !chance(5)
    let size = chance(6) ? Size.zero : Size(width: 1, height: 1)
    call { state, _ in
      state.policy = policy
      state.displaysAsynchronously = isAsynchronous
      state.look.size = size
    } expecting: { model in
      model.policy = policy
      model.isAsynchronous = isAsynchronous
      return (nil, nil)
    }
  }

  mutating func wait() {
    let number = waiterCount
    waiterCount += 1
    let request = state.requested
    let outcome = state.outcome(of: request)
    if outcome == nil { model.waiters[number] = request }
    // A caller waits exactly as long as its request is still to be shown.
    let isToCome =
      model.isMarked || (model.current.map { model.displays[$0].request >= request } ?? false)
    #expect((outcome == nil) == (isToCome && !model.isGone))
    _ = call { [reported] state, effects in
      state.wait(
        for: request,
        { result in reported.withLock { $0[number, default: []].append(result.summary) } },
        &effects)
    } expecting: { _ in
      (nil, nil)
    }
    if let outcome { #expect(reported.withLock { $0[number] } == [outcome.summary]) }
  }
}
