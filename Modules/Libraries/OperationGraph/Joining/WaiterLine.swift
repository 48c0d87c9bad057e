internal import AsyncRuntime

/// A queue of waiters, each of which may give up before it is resumed.
///
/// A waiter takes a place first and suspends later, because a task has no continuation before it
/// suspends. If a verdict is reached in between, it is kept until the waiter suspends.
struct WaiterLine {
  /// How a wait ends.
  enum Verdict: Sendable {
    case continues
    case givesUp
  }

  typealias Resume = @Sendable (Verdict) -> Void
  typealias Place = PriorityLine<Waiter>.Place

  struct Waiter: Sendable {
    /// Nil until the waiter has suspended.
    var resume: Resume?
    /// The span on whose behalf the waiter waits.
    let span: Span
  }

  private var line = PriorityLine<Waiter>()
  /// The verdicts of waiters that had not suspended yet.
  private var decided: [Place: Verdict] = [:]

  var count: Int { line.count }
  var isEmpty: Bool { line.isEmpty }

  /// Takes a place, after all waiters of the same priority.
  mutating func enter(
    priority: UInt8 = 0, for span: Span, _ resume: Resume? = nil
  ) -> Place {
    line.append(Waiter(resume: resume, span: span), priority: priority)
  }

  /// Stores the handler of a waiter that suspends at a place.
  ///
  /// - Returns: the verdict if there is one; then the handler is not stored.
  mutating func suspend(at place: Place, _ resume: @escaping Resume) -> Verdict? {
    guard line[place] != nil else { return decided.removeValue(forKey: place) ?? .continues }
    line[place]?.resume = resume
    return nil
  }

  /// Removes a waiter that gives up, if it still waits.
  ///
  /// - Returns: the handler to notify, if the waiter has suspended.
  mutating func giveUp(_ place: Place) -> Resume? {
    guard let waiter = line.remove(place) else { return nil }
    if waiter.resume == nil { decided[place] = .givesUp }
    return waiter.resume
  }

  /// Whether the waiter at this place still waits.
  func isWaiting(at place: Place) -> Bool { line[place] != nil }

  mutating func move(_ place: Place, to priority: UInt8) { line.move(place, to: priority) }

  /// The waiter that arrived first, whatever its priority.
  var oldest: Place? { line.oldest }
  /// The next waiter to be resumed.
  var first: Place? { line.first }

  /// Removes the waiter at this place, so that it resumes. The caller may have to notify it.
  mutating func resume(at place: Place) -> Waiter? {
    guard let waiter = line.remove(place) else { return nil }
    if waiter.resume == nil { decided[place] = .continues }
    return waiter
  }

  /// Removes all waiters in their order, so that they resume.
  mutating func resumeAll() -> [Waiter] {
    var all: [Waiter] = []
    while let first = line.first, let waiter = resume(at: first) { all.append(waiter) }
    return all
  }
}
