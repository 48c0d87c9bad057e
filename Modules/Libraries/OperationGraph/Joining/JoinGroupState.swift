internal import AsyncRuntime

/// What a group knows of those in it and of those who wait for it to be empty.
///
/// It decides and does nothing else: what is to be done, the caller does once it has let go of the lock.
struct JoinGroupState {
  /// What a departure comes to.
  enum Departure {
    /// Others are still in the group.
    case stays
    /// The group is empty: these may go on.
    case empties([ParkedLine.Waiter])
    /// Nobody who could leave was in the group; it was entered here last.
    case unbalanced(SourceSite?)
  }

  /// Enters that were only counted: which of them has been left nobody can tell.
  private struct Tally {
    var enters: [(site: SourceSite, count: Int)] = []
    var leaves = 0
    var span = Span.none
  }

  private var tally = Tally()
  private var countedEnters = 0
  private var memberships = 0
  private var lastEnter: SourceSite?
  private(set) var waiters = ParkedLine()

  var count: Int { countedEnters + memberships }

  mutating func enter(at site: SourceSite, for span: Span) {
    countedEnters += 1
    lastEnter = site
    tally.span = span
    if let index = tally.enters.firstIndex(where: { $0.site == site }) {
      tally.enters[index].count += 1
    } else {
      tally.enters.append((site, 1))
    }
  }

  mutating func leave() -> Departure {
    guard countedEnters > 0 else { return .unbalanced(lastEnter) }
    countedEnters -= 1
    tally.leaves += 1
    if countedEnters == 0 { tally = Tally() }
    return departure
  }

  mutating func join() { memberships += 1 }

  mutating func leaveMembership() -> Departure {
    memberships -= 1
    return departure
  }

  private var departure: Departure {
    mutating get { count == 0 ? .empties(waiters.letAllGo()) : .stays }
  }

  // MARK: Waiting

  /// Takes a place among those who wait.
  ///
  /// - Returns: nil if the group is empty, and there is nothing to wait for.
  mutating func wait(for span: Span, _ resume: ParkedLine.Resume? = nil) -> ParkedLine.Place? {
    count == 0 ? nil : waiters.enter(for: span, resume)
  }

  mutating func park(
    at place: ParkedLine.Place, _ resume: @escaping ParkedLine.Resume
  ) -> ParkedLine.Verdict? {
    waiters.park(at: place, resume)
  }

  mutating func giveUp(_ place: ParkedLine.Place) -> ParkedLine.Resume? { waiters.giveUp(place) }

  // MARK: At the end

  /// What was entered and can never be left any more; nil if all has been.
  func forgotten() -> (text: String, span: Span)? {
    guard countedEnters > 0 else { return nil }
    var places = tally.enters.map { site, count in
      count == 1 ? "\(site)" : "\(site) (\(count) times)"
    }
    let shown = 8
    if places.count > shown { places[shown...] = ["\(places.count - shown) more places"] }
    var text = "entered at \(places.joined(separator: ", "))"
    if tally.leaves > 0 {
      text += ", and left \(tally.leaves == 1 ? "once" : "\(tally.leaves) times")"
    }
    if !waiters.isEmpty { text += "; \(waiters.count) waited for it in vain" }
    return (text, tally.span)
  }
}
