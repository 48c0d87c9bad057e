extension RenderLayerState {
  enum Beginning: Equatable, Sendable {
    case nothing
    /// A synchronous display that takes in `request`.
    case synchronous(request: UInt64, number: UInt64)
    case asynchronous(number: UInt64)
  }

  /// The display pass has come to the layer: a display begins, if one is asked for.
  mutating func beginInPass(_ effects: inout Effects) -> Beginning {
    isInPass = false
    return begin(&effects)
  }

  /// A display begins, if one is asked for. Ended by `leaveStack`.
  mutating func begin(_ effects: inout Effects) -> Beginning {
    guard isReady else { return .nothing }
    if !displaysAsynchronously { return beginSynchronously(&effects) }
    // Asked for while it was prepared.
    if current != nil { supersede(&effects) }
    isMarked = false
    isOnStack = true
    displayCount += 1
    effects.figures.displays += 1
    current = Display(number: displayCount, request: requested)
    return .asynchronous(number: displayCount)
  }

  /// A synchronous display begins, asked for or not; inside another one, it is asked for.
  mutating func beginSynchronously(_ effects: inout Effects) -> Beginning {
    guard !isOnStack else {
      _ = request(&effects)
      return .nothing
    }
    sentinel.increase()
    cancelCurrent(&effects)
    isMarked = false
    isOnStack = true
    displayCount += 1
    effects.figures.displays += 1
    return .synchronous(request: requested, number: displayCount)
  }

  /// The display that was on the stack is not any more.
  mutating func leaveStack() { isOnStack = false }

  enum Capture: Sendable {
    case draw(Drawing)
    /// There is nothing to draw, which is presented at once, unless it is called off before.
    case clear
    case cancelled
  }

  /// `willDisplay` has returned: what is cancelled from now on is called off by the sentinel.
  ///
  /// - Parameters:
  ///   - draws: whether there is a display block.
  ///   - make: makes the drawing; it is cancelled when the sentinel has another value.
  mutating func capture(
    _ number: UInt64, draws: Bool, _ make: (SentinelValue, Look) -> Drawing
  ) -> Capture {
    guard var display = current, display.number == number else { return .cancelled }
    if !draws || look.isEmpty { return .clear }
    let drawing = make(SentinelValue(sentinel: sentinel, value: sentinel.increase()), look)
    display.phase = .queued
    display.drawing = drawing
    current = display
    return .draw(drawing)
  }

  /// A drawing lane has come to it.
  ///
  /// - Returns: whether it is to be drawn. If not, its end has been told.
  mutating func start(_ number: UInt64) -> Bool {
    guard let current, current.number == number else { return false }
    self.current?.phase = .drawing
    return true
  }

  /// The display block has returned.
  ///
  /// - Returns: whether it is wanted still.
  mutating func drew(
    _ number: UInt64, for duration: Duration, _ effects: inout Effects
  ) -> Bool {
    noteDrawing(duration, &effects)
    guard let current, current.number == number else {
      effects.figures.wastedTime += duration
      return false
    }
    self.current?.phase = .drawn
    self.current?.duration = duration
    return true
  }

  // MARK: Showing

  /// What is to be told once a display has ended, on the main lane, after all contents have been set.
  struct Ending: Sendable {
    var isFinished: Bool
    /// Why not, if it was not cancelled.
    var error: DrawingError?
    /// Which failure of the layer that is, counted from 1.
    var failure: UInt64 = 0
    var told: [(listener: Listener, result: Result<Picture?, DisplayError>)] = []

    /// On the main lane, and after `didDisplay`.
    func tell() { for (listener, result) in told { listener(result) } }

    var end: DisplayTrace.End {
      isFinished ? .finished : error == nil ? .cancelled : .failed
    }
  }

  /// What was drawn has come to the main lane.
  ///
  /// - Parameter outcome: a picture, or nil to show nothing.
  mutating func present(
    _ number: UInt64, _ outcome: Result<Picture?, DrawingError>, _ effects: inout Effects
  ) -> Ending {
    guard let display = current, display.number == number else {
      effects.released = try? outcome.get()
      return Ending(isFinished: false)
    }
    current = nil
    return conclude(display.request, outcome, display.duration, &effects, of: number)
  }

  /// A display has ended that nobody has called off.
  ///
  /// - Parameters:
  ///   - outcome: a picture, or nil to show nothing.
  ///   - number: of the display; that which is on the stack if it is nil.
  mutating func conclude(
    _ request: UInt64, _ outcome: Result<Picture?, DrawingError>, _ duration: Duration,
    _ effects: inout Effects, of number: UInt64? = nil
  ) -> Ending {
    switch outcome {
    case .success(let picture):
      if picture == nil { effects.figures.cleared += 1 } else { effects.figures.drawn += 1 }
      cancelledInARow = 0
      failure = nil
      shown = max(shown, request)
      effects.released = contents
      contents = picture
      contentsNumber = number ?? displayCount
      return Ending(isFinished: true, told: takeWaiters(upTo: request, .success(picture)))
    case .failure(let error):
      effects.figures.failed += 1
      effects.figures.wastedTime += duration
      failure = (request, error)
      failureCount += 1
      let told = takeWaiters(upTo: request, .failure(.failed(error)))
      if !told.isEmpty { heardFailures = failureCount }
      return Ending(isFinished: false, error: error, failure: failureCount, told: told)
    }
  }

  /// Notes how long a display was drawn.
  func noteDrawing(_ duration: Duration, _ effects: inout Effects) {
    effects.figures.drawingTime += duration
    effects.figures.longestDrawing = max(effects.figures.longestDrawing, duration)
  }
}
