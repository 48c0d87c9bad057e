internal import AsyncRuntime

/// Those who wait to be let go on, each of whom may give up before.
///
/// Whoever waits takes a place first and parks at it later: a task has no continuation before it suspends. What
/// is decided in between is kept until it parks.
struct ParkedLine {
  /// How a wait ends.
  enum Verdict: Sendable {
    case goesOn
    case givesUp
  }

  typealias Resume = @Sendable (Verdict) -> Void
  typealias Place = PriorityLine<Waiter>.Place

  struct Waiter: Sendable {
    /// Nil until it has parked.
    var resume: Resume?
    /// On whose behalf it waits.
    let span: Span
  }

  private var line = PriorityLine<Waiter>()
  /// Of those who had not parked yet.
  private var decided: [Place: Verdict] = [:]

  var count: Int { line.count }
  var isEmpty: Bool { line.isEmpty }

  /// Takes a place, behind all others of the priority.
  mutating func enter(
    priority: UInt8 = 0, for span: Span, _ resume: Resume? = nil
  ) -> Place {
    line.append(Waiter(resume: resume, span: span), priority: priority)
  }

  /// Parks at a place.
  ///
  /// - Returns: the verdict, if there is one: then it does not park.
  mutating func park(at place: Place, _ resume: @escaping Resume) -> Verdict? {
    guard line[place] != nil else { return decided.removeValue(forKey: place) ?? .goesOn }
    line[place]?.resume = resume
    return nil
  }

  /// Lets somebody give up who still waits.
  ///
  /// - Returns: whom to tell so, if it has parked.
  mutating func giveUp(_ place: Place) -> Resume? {
    guard let waiter = line.remove(place) else { return nil }
    if waiter.resume == nil { decided[place] = .givesUp }
    return waiter.resume
  }

  /// Whether somebody at this place still waits.
  func isWaiting(at place: Place) -> Bool { line[place] != nil }

  mutating func move(_ place: Place, to priority: UInt8) { line.move(place, to: priority) }

  /// Whoever came first of all, whatever the priority.
  var oldest: Place? { line.oldest }
  /// Whoever comes first.
  var first: Place? { line.first }

  /// Lets whoever stands there go on; they may have to be told.
  mutating func letGo(_ place: Place) -> Waiter? {
    guard let waiter = line.remove(place) else { return nil }
    if waiter.resume == nil { decided[place] = .goesOn }
    return waiter
  }

  /// Lets everybody go on, in their order.
  mutating func letAllGo() -> [Waiter] {
    var all: [Waiter] = []
    while let first = line.first, let waiter = letGo(first) { all.append(waiter) }
    return all
  }
}
