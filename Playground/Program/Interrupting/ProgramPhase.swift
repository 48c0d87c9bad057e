/// How far the program is with its end, and what a signal that would end it means in this phase. After the first
/// signal, the program saves what must be kept. The next signal ends it immediately.
///
/// A second SIGTERM or SIGHUP need not be a second request. `timeout` sends its signal to the program and to the
/// program's process group. When a window is closed, both the shell and the system send one. At the end of a login
/// session, both signals arrive. So signals that arrive together count as one. Each press of Ctrl-C counts.
enum ProgramPhase: Sendable {
  case running
  /// It is ending without having been asked to.
  case ending
  /// It is ending, and has been asked to a moment ago.
  case asked
  /// It is ending, and a request from now on counts as a further one.
  case overdue

  /// What a signal demands.
  enum Request {
    /// End in order. The code that received the signal must do so.
    case end
    /// Hurry: other code is ending the program already.
    case hurry
    /// The same request as the signal before.
    case same
    case endAtOnce
  }

  /// Handles SIGTERM or SIGHUP.
  mutating func terminate() -> Request {
    switch self {
    case .running: return ask(.end)
    case .ending: return ask(.hurry)
    case .asked: return .same
    case .overdue: return .endAtOnce
    }
  }

  /// Handles Ctrl-C. Nil while the program runs: Ctrl-C has another meaning then.
  mutating func press() -> Request? {
    switch self {
    case .running: return nil
    case .ending: return ask(.hurry)
    case .asked, .overdue: return .endAtOnce
    }
  }

  /// Starts to end the program.
  ///
  /// - Returns: whether the caller must end it; false if other code is already ending it.
  mutating func begin(_ phase: ProgramPhase) -> Bool {
    guard self == .running else { return false }
    self = phase
    return true
  }

  private mutating func ask(_ request: Request) -> Request {
    self = .asked
    return request
  }
}
