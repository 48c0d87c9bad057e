internal import AsyncRuntime

/// The state of a group: its members, and the waiters for an empty group.
///
/// It only makes decisions. The caller carries them out after releasing the lock.
struct JoinGroupState {
  /// The effect of leaving.
  enum Departure {
    /// The group is not empty yet.
    case stays
    /// The group is empty: resume these waiters.
    case empties([WaiterLine.Waiter])
    /// There was no matching `enter`. The call site is that of the last `enter`, if any.
    case unbalanced(CallSite?)
  }

  /// Calls of `enter` that were only counted. It is unknown which of them have been left.
  private struct Tally {
    var enters: [(site: CallSite, count: Int)] = []
    var leaves = 0
    var span = Span.none
  }

  private var tally = Tally()
  private var countedEnters = 0
  private var memberships = 0
  private var lastEnter: CallSite?
  var waiters = WaiterLine()

  var count: Int { countedEnters + memberships }
  var isEmpty: Bool { count == 0 }

  mutating func enter(at site: CallSite, for span: Span) {
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
    mutating get { count == 0 ? .empties(waiters.resumeAll()) : .stays }
  }

  // MARK: Waiting

  /// Keeps a handler until the group is empty.
  ///
  /// - Returns: false if the group is empty, so that there is nothing to wait for.
  mutating func keep(_ resume: @escaping WaiterLine.Resume, for span: Span) -> Bool {
    if !isEmpty { _ = waiters.enter(for: span, resume) }
    return !isEmpty
  }

  // MARK: Release

  /// Describes the entries that can no longer be left; nil if all were left.
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
    if !waiters.isEmpty {
      let were = waiters.count == 1 ? "waiter was" : "waiters were"
      text += "; \(waiters.count) \(were) never notified"
    }
    return (text, tally.span)
  }
}
