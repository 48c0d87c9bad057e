internal import AsyncRuntime

/// What a semaphore knows of its permits and of those who wait for one.
///
/// It decides and does nothing else: what is to be done, the caller does once it has let go of the lock.
/// Invariant: where a permit is free nobody waits.
struct AsyncSemaphoreState {
  typealias Place = ParkedLine.Place

  private(set) var permits: Int
  private let overtakings: Int?
  /// How many permits in a row have gone past the one who has waited the longest.
  private var overtaken = 0
  private var line = ParkedLine()

  /// - Parameter overtakings: how many permits in a row may go past the one who has waited the longest.
  init(permits: Int, overtakings: Int?) {
    self.permits = max(permits, 0)
    self.overtakings = overtakings.map { max($0, 0) }
  }

  var waitingCount: Int { line.count }

  /// Takes a permit that is free.
  mutating func take() -> Bool {
    guard permits > 0 else { return false }
    permits -= 1
    return true
  }

  /// Takes a permit, or a place among those who wait for one: then it is returned.
  mutating func wait(
    priority: UInt8, for span: Span, _ resume: ParkedLine.Resume? = nil
  ) -> Place? {
    take() ? nil : line.enter(priority: priority, for: span, resume)
  }

  mutating func park(
    at place: Place, _ resume: @escaping ParkedLine.Resume
  ) -> ParkedLine.Verdict? {
    line.park(at: place, resume)
  }

  /// Whoever waits gives up; one who has a permit by then keeps it.
  ///
  /// - Returns: whether it gives up, and whom to tell so.
  mutating func giveUp(_ place: Place) -> (isOver: Bool, resume: ParkedLine.Resume?) {
    guard line.isWaiting(at: place) else { return (false, nil) }
    if line.oldest == place { overtaken = 0 }
    return (true, line.giveUp(place))
  }

  mutating func move(_ place: Place, to priority: UInt8) { line.move(place, to: priority) }

  /// A permit is given back: it goes to whoever comes first.
  ///
  /// - Returns: who has it now.
  mutating func signal() -> ParkedLine.Waiter? {
    guard let first = line.first, let oldest = line.oldest else {
      // As many as a number can tell.
      if permits < .max { permits += 1 }
      return nil
    }
    guard first != oldest else {
      overtaken = 0
      return line.letGo(first)
    }
    if let overtakings, overtaken >= overtakings {
      overtaken = 0
      return line.letGo(oldest)
    }
    // Without a limit nobody asks.
    overtaken = min(overtaken + 1, overtakings ?? 0)
    return line.letGo(first)
  }
}
