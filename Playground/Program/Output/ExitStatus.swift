/// The exit code of a script. If several reasons apply, the gravest one determines it.
struct ExitStatus {
  /// In order of precedence.
  enum Reason: Int32, CaseIterable {
    case interrupted = 130
    case wrongInput = 2
    case unfinished = 4
    case failed = 3
    case violated = 1
  }

  private var reasons: Set<Reason> = []

  mutating func add(_ reason: Reason) { reasons.insert(reason) }

  var code: Int32 { Reason.allCases.first(where: reasons.contains)?.rawValue ?? 0 }

  /// Whether nothing is wrong, except perhaps an interruption with Ctrl-C.
  var isWellOrInterrupted: Bool { reasons.isSubset(of: [.interrupted]) }

  var hasWrongInput: Bool { reasons.contains(.wrongInput) }

  var wasInterrupted: Bool { reasons.contains(.interrupted) }
}
