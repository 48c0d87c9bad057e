import Testing

@testable import AsyncRender

/// One sequence of random calls.
struct StateTrial {
  var random: SeededGenerator
  var state: RenderLayerState
  var model = LayerModel()
  let storage: RenderLayerStorage
  var look = RenderLayerState.Look(
    size: Size(width: 1, height: 1), scale: 1, isOpaque: false)
  let reported = Locked<[Int: [String]]>([:])
  var waiterCount = 0
  var wills = 0
  /// Whether unusual events have stopped.
  var isQuiet = false
  var metrics = DisplayMetrics()

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    state = RenderLayerState(look: look)
    storage = RenderLayerStorage(
      state, on: Renderer(runtime: SimulatedRuntime()), task: { _ in DisplayTask(display: nil) })
  }

  mutating func step() throws {
    // A released layer gets no more requests; displays in progress continue.
    if model.isGone {
      start()
      drew()
      return try present()
    }
    switch Int.random(in: 0..<19, using: &random) {
    case 0...3:
      call { state, effects in
        _ = state.request(&effects)
      } expecting: {
        $0.request()
      }
    case 4...6: begin(inPass: true)
    case 7: begin(inPass: false)
    case 8: try immediately()
    case 9, 10: start()
    case 11, 12: drew()
    case 13, 14: try present()
    case 15: chance(4) ? cancel() : wait()
    case 16: suspendOrResume()
    case 17: setUp()
    default: if chance(60) { vanish() } else { wait() }
    }
  }

  /// Runs everything to its end.
  mutating func finish() throws {
    isQuiet = true
    if state.isSuspended, !model.isGone { suspendOrResume() }
    for _ in 0..<10 {
      begin(inPass: true)
      while model.displays.contains(where: { $0.phase == .queued && $0.ends == 0 }) { start() }
      while model.displays.contains(where: { $0.phase == .drawing }) { drew() }
      while model.displays.contains(where: { $0.phase == .drawn && $0.ends == 0 }) {
        try present()
      }
    }
    #expect(model.displays.allSatisfy { $0.ends == 1 })
    #expect(wills == model.displays.count)
    #expect(!state.isMarked && !state.isInPass && state.current == nil)
    #expect(reported.withLock { $0 }.values.allSatisfy { $0.count == 1 })
    #expect(reported.withLock { $0.count } == waiterCount)
    #expect(metrics.isBalanced && metrics.displays == wills)
    #expect(metrics.cancelled == model.cancelled && metrics.drawn == model.drawn)
    #expect(metrics.cleared == model.cleared && metrics.failed == model.failed)
  }

  mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0 && !isQuiet
  }

  /// Calls the state and checks that it requests the expected effects.
  mutating func call<Result>(
    _ body: (inout RenderLayerState, inout RenderLayerState.Effects) -> Result,
    expecting expected: (inout LayerModel) -> (ended: UInt64?, interrupted: UInt64?)
  ) -> Result {
    var effects = RenderLayerState.Effects()
    let result = body(&state, &effects)
    state.settle(&effects)
    let (ended, interrupted) = expected(&model)
    #expect(effects.ended?.number == ended)
    #expect(effects.interrupted?.number == interrupted)
    #expect(effects.entersPass == (model.isReady && !model.isInPass))
    if effects.entersPass { model.isInPass = true }
    metrics += effects.metrics
    for (handler, result) in effects.calls { handler(result) }
    agree()
    return result
  }

  func agree() {
    #expect(state.isMarked == model.isMarked && state.isOnStack == model.isOnStack)
    #expect(state.isInPass == model.isInPass && state.cancelledInARow == model.cancelledInARow)
    #expect(state.current?.number == model.current.map { model.displays[$0].number })
    #expect(state.contents.map { ObjectIdentifier($0) } == model.contents)
    for display in model.displays where display.ends == 0 {
      // Polling gives the same answer.
      if let drawing = display.drawing { #expect(drawing.isVoid == !display.isWanted) }
    }
  }

  // MARK: On the main lane

  mutating func begin(inPass: Bool) {
    // A pass displays only layers that are registered in it.
    if inPass && !model.isInPass { return }
    if inPass { model.isInPass = false }
    let isReady = model.isReady
    let beginning = call { state, effects in
      inPass ? state.beginInPass(&effects) : state.begin(&effects)
    } expecting: { model in
      guard isReady else { return (nil, nil) }
      // A request during the preparation replaces the last one.
      if model.isAsynchronous, model.current != nil { model.cancelledInARow += 1 }
      let cancelled = model.cancelCurrent()
      model.isMarked = false
      model.isOnStack = true
      model.begun += 1
      if model.isAsynchronous {
        model.displays.append(LayerModel.Display(number: model.begun, request: model.requests))
      }
      return cancelled
    }
    #expect((beginning != .nothing) == isReady)
    switch beginning {
    case .nothing: break
    case .synchronous(let request, _): conclude(request)
    case .asynchronous(let number): prepare(number)
    }
  }

  mutating func prepare(_ number: UInt64) {
    wills += 1
    let index = model.displays.count - 1
    // Calls that `willDisplay` may make.
    if chance(8) {
      call {
        _ = $0.request(&$1)
      } expecting: {
        $0.request()
      }
    }
    if chance(12) { cancel() }
    if chance(20) { suspendOrResume() }
    let draws = !chance(8)
    let isWanted = model.displays[index].isWanted
    let capture = state.capture(number, draws: draws) { [storage] value, look in
      Drawing(
        number, DisplayTask { _, _, _ in }, look, of: nil, storage, since: value, in: nil)
    }
    switch capture {
    case .draw(let drawing):
      #expect(isWanted && draws && !state.look.isEmpty)
      model.displays[index].phase = .queued
      model.displays[index].drawing = drawing
    case .clear:
      #expect(isWanted && (!draws || state.look.isEmpty))
      // Calls that another lane may make before the contents are cleared.
      if chance(4) { cancel() }
      presentNothing(number, index)
    case .cancelled:
      #expect(!isWanted)
      model.displays[index].ends += 1
    }
    call { state, _ in
      state.leaveStack()
    } expecting: { model in
      model.isOnStack = false
      return (nil, nil)
    }
  }

  private mutating func presentNothing(_ number: UInt64, _ index: Int) {
    let display = model.displays[index]
    model.displays[index].ends += 1
    let ending = call {
      $0.present(number, .success(nil), &$1)
    } expecting: { model in
      if display.isWanted { model.note(.success(nil)) }
      return (nil, nil)
    }
    if display.isWanted {
      check(ending, display.request, .success(nil))
    } else {
      #expect(!ending.isFinished && ending.calls.isEmpty)
    }
  }

  mutating func immediately() throws {
    let beginning = call {
      $0.beginSynchronously(&$1)
    } expecting: { model in
      model.begun += 1
      model.isMarked = false
      model.isOnStack = true
      return model.cancelCurrent()
    }
    guard case .synchronous(let request, _) = beginning else {
      Issue.record("nothing began")
      return
    }
    conclude(request)
  }

  /// Ends a synchronous display.
  mutating func conclude(_ request: UInt64) {
    wills += 1
    // Calls that the display block may make.
    if chance(6) {
      call {
        _ = $0.request(&$1)
      } expecting: {
        $0.request()
      }
    }
    if chance(12) { cancel() }
    if chance(6) {
      // A request from inside the display itself.
      let nested = call {
        $0.beginSynchronously(&$1)
      } expecting: {
        $0.request()
      }
      #expect(nested == .nothing)
    }
    model.displays.append(
      LayerModel.Display(number: 0, request: request, phase: .drawn, isWanted: false, ends: 1))
    show(request, outcome())
    call { state, _ in
      state.leaveStack()
    } expecting: { model in
      model.isOnStack = false
      return (nil, nil)
    }
  }

  mutating func outcome() -> Result<Picture?, DrawingError> {
    chance(6)
      ? .failure(DrawingError("no")) : Result { () throws(DrawingError) in try Self.picture() }
  }

  static func picture() throws(DrawingError) -> Picture {
    try Canvas(size: Size(width: 1, height: 1)).finish()
  }

  mutating func show(_ request: UInt64, _ outcome: Result<Picture?, DrawingError>) {
    let ending = call {
      $0.conclude(request, outcome, .zero, &$1)
    } expecting: { model in
      model.note(outcome)
      return (nil, nil)
    }
    check(ending, request, outcome)
  }

  mutating func check(
    _ ending: RenderLayerState.Ending, _ request: UInt64,
    _ outcome: Result<Picture?, DrawingError>
  ) {
    if case .success = outcome {
      #expect(ending.isFinished)
    } else {
      #expect(!ending.isFinished)
    }
    let due = model.waiters.filter { $0.value <= request }
    #expect(ending.calls.count == due.count)
    ending.notify()
    for (waiter, _) in due {
      #expect(
        reported.withLock { $0[waiter] }
          == [outcome.mapError { DisplayError.failed($0) }.summary])
      model.waiters[waiter] = nil
    }
  }
}

extension LayerModel {
  /// Records the end of a display that is wanted.
  mutating func note(_ outcome: Result<Picture?, DrawingError>) {
    switch outcome {
    case .success(let picture):
      contents = picture.map { ObjectIdentifier($0) }
      cancelledInARow = 0
      if picture == nil { cleared += 1 } else { drawn += 1 }
    case .failure: failed += 1
    }
  }
}
