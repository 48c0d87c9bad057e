/// How far the program is with its end, and what a signal that is to end it means then: the first one lets what is
/// to be kept be kept, and the next one ends the program at once.
///
/// Nobody need have asked twice where SIGTERM and SIGHUP come twice. `timeout` sends its signal to the program and to
/// the program's group, behind a window that is closed stand the shell and the system, and a login session ends with
/// both. So what comes at once counts as one. Ctrl-C is a key, and means what it says.
enum ProgramPhase: Sendable {
  case running
  /// It ends by itself.
  case ending
  /// It ends, and has just been asked to.
  case asked
  /// It ends, and whoever asks now asks once more.
  case overdue

  /// What a signal asks for.
  enum Request {
    /// To end in order, which is now up to the one who heard it.
    case end
    /// To be quick, while somebody ends the program.
    case hurry
    /// The same as the signal before.
    case same
    case endAtOnce
  }

  /// SIGTERM or SIGHUP.
  mutating func terminate() -> Request {
    switch self {
    case .running: return ask(.end)
    case .ending: return ask(.hurry)
    case .asked: return .same
    case .overdue: return .endAtOnce
    }
  }

  /// Ctrl-C; nil while the program runs, when it means something else.
  mutating func press() -> Request? {
    switch self {
    case .running: return nil
    case .ending: return ask(.hurry)
    case .asked, .overdue: return .endAtOnce
    }
  }

  /// Somebody is about to end the program.
  ///
  /// - Returns: whether it is left to them; false if somebody else ends it.
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
