extension RenderLayerState {
  enum Beginning: Equatable, Sendable {
    case nothing
    /// A synchronous display that covers `request`.
    case synchronous(request: UInt64, number: UInt64)
    case asynchronous(number: UInt64)
  }

  /// Called when the display pass has reached the layer. Starts a display if one is requested.
  mutating func beginInPass(_ effects: inout Effects) -> Beginning {
    isInPass = false
    return begin(&effects)
  }

  /// Starts a display if one is requested. Call `leaveStack` when it has left the stack of the main lane.
  mutating func begin(_ effects: inout Effects) -> Beginning {
    guard isReady else { return .nothing }
    if !displaysAsynchronously { return beginSynchronously(&effects) }
    // Another display was being prepared when the request came.
    if current != nil { supersede(&effects) }
    isMarked = false
    isOnStack = true
    displayCount += 1
    effects.metrics.displays += 1
    current = Display(number: displayCount, request: requested)
    return .asynchronous(number: displayCount)
  }

  /// Starts a synchronous display, requested or not. Inside another synchronous display, it requests one instead.
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
    effects.metrics.displays += 1
    return .synchronous(request: requested, number: displayCount)
  }

  /// Notes that the display has left the stack of the main lane.
  mutating func leaveStack() { isOnStack = false }

  enum Capture: Sendable {
    case draw(Drawing)
    /// There is nothing to draw. The empty contents are shown immediately, unless the display was
    /// cancelled.
    case clear
    case cancelled
  }

  /// Called when `willDisplay` has returned. From now on, the drawing notices a cancellation by the sentinel.
  ///
  /// - Parameters:
  ///   - draws: whether there is a display block.
  ///   - make: creates the drawing. The drawing is cancelled once the sentinel no longer has the value in the argument.
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

  /// Called when a drawing lane has reached the drawing.
  ///
  /// - Returns: whether it must be drawn. If not, its end has been reported.
  mutating func start(_ number: UInt64) -> Bool {
    guard let current, current.number == number else { return false }
    self.current?.phase = .drawing
    return true
  }

  /// Called when the display block has returned.
  ///
  /// - Returns: whether its picture is still wanted.
  mutating func drew(
    _ number: UInt64, for duration: Duration, _ effects: inout Effects
  ) -> Bool {
    noteDrawing(duration, &effects)
    guard let current, current.number == number else {
      effects.metrics.wastedTime += duration
      return false
    }
    self.current?.phase = .drawn
    self.current?.duration = duration
    return true
  }

  // MARK: Showing

  /// The reports to make after a display has ended. They are made on the main lane, after all
  /// contents have been set.
  struct Ending: Sendable {
    var isFinished: Bool
    /// Why it failed, if it was not cancelled.
    var error: DrawingError?
    /// The number of this failure of the layer, counted from 1.
    var failure: UInt64 = 0
    var calls: [(handler: Handler, result: Result<Picture?, DisplayError>)] = []

    /// Calls the handlers. Called on the main lane, after `didDisplay`.
    func notify() { for (handler, result) in calls { handler(result) } }

    var end: DisplayTrace.End {
      isFinished ? .finished : error == nil ? .cancelled : .failed
    }
  }

  /// Called when a picture has reached the main lane.
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

  /// Notes the end of a display that was not cancelled.
  ///
  /// - Parameters:
  ///   - outcome: a picture, or nil to show nothing.
  ///   - number: the number of the display; nil for the one on the stack.
  mutating func conclude(
    _ request: UInt64, _ outcome: Result<Picture?, DrawingError>, _ duration: Duration,
    _ effects: inout Effects, of number: UInt64? = nil
  ) -> Ending {
    switch outcome {
    case .success(let picture):
      if picture == nil { effects.metrics.cleared += 1 } else { effects.metrics.drawn += 1 }
      cancelledInARow = 0
      failure = nil
      shown = max(shown, request)
      effects.released = contents
      contents = picture
      contentsNumber = number ?? displayCount
      return Ending(isFinished: true, calls: takeWaiters(upTo: request, .success(picture)))
    case .failure(let error):
      effects.metrics.failed += 1
      effects.metrics.wastedTime += duration
      failure = (request, error)
      failureCount += 1
      let calls = takeWaiters(upTo: request, .failure(.failed(error)))
      if !calls.isEmpty { reportedFailures = failureCount }
      return Ending(isFinished: false, error: error, failure: failureCount, calls: calls)
    }
  }

  /// Adds the time of a drawing to the metrics.
  func noteDrawing(_ duration: Duration, _ effects: inout Effects) {
    effects.metrics.drawingTime += duration
    effects.metrics.longestDrawing = max(effects.metrics.longestDrawing, duration)
  }
}
