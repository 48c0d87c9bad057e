/// On whose behalf code runs, and what let it run. It travels with a job from where the job is scheduled to where it
/// runs.
struct Causality: Equatable, Sendable {
  /// The span whose code runs.
  var span = Span.none
  // The span that let it run, and how, in three bits that no number of a span has: each job that waits carries this,
  // and is no larger for it.
  private var reason: UInt32 = 0

  /// How a span let code run.
  enum Way: UInt32 {
    /// It ended.
    case end = 0
    /// It gave a permit, which was there when the code asked for one.
    case permit = 0x1000_0000
    /// It gave a permit, for which the code's thread stood parked.
    case waking = 0x2000_0000
    /// It ended, or was cut off, or none did, and a timer has gone off since.
    case timer = 0x3000_0000
    /// It was cut off by a timer that has gone off, and that no end had set.
    case cutOff = 0x4000_0000

    fileprivate static let bits: UInt32 = 0x7000_0000
  }

  /// - Parameter ended: the span whose end made it run.
  init(span: Span = .none, ended: Span = .none) {
    self.span = span
    reason = ended.id & ~Way.bits
  }

  /// The span that let it run.
  var cause: Span { Span(id: reason & ~Way.bits) }

  /// How it did.
  var way: Way { Way(rawValue: reason & Way.bits) ?? .end }

  /// The span whose end made it run, be it that a timer has cut that off.
  var ended: Span {
    switch way {
    case .end, .timer, .cutOff: cause
    case .permit, .waking: .none
    }
  }

  /// Whether it runs because of a permit.
  var isByPermit: Bool { way == .permit || way == .waking }

  /// Whether it runs since a timer has gone off.
  var isByTimer: Bool { way == .timer || way == .cutOff }

  /// Notes that a timer has gone off. Who let the code set that is still why it runs.
  mutating func goOffTimer() {
    if way == .end || way == .cutOff { reason = cause.id | Way.timer.rawValue }
  }

  /// Notes that a timer which has gone off has cut a span off, and that it goes on because of that.
  mutating func cutOff(_ cut: Span) {
    let isAfterEnd = way == .timer && cause != .none
    reason = cut.id & ~Way.bits | (isAfterEnd ? Way.timer : .cutOff).rawValue
  }

  /// Notes that it goes on because of a permit.
  mutating func takePermit(from giver: Span, parked: Bool) {
    reason = giver.id & ~Way.bits | (parked ? Way.waking : .permit).rawValue
  }
}
