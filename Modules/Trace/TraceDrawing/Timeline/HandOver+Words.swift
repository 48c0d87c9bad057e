extension HandOver.Kind {
  /// The text beside an arrow.
  var words: String {
    switch self {
    case .spawned: "started by it"
    case .dependency: "dependency"
    case .resolvedBy: "resolved by it"
    case .woke: "thread woken"
    case .permit: "permit passed on"
    case .queue: "next in its queue"
    }
  }

  /// The text where no arrow shows which step let another one continue.
  func words(naming step: String) -> String {
    switch self {
    case .spawned: "started by \(step)"
    case .dependency: "after \(step)"
    case .resolvedBy: "resolved by \(step)"
    case .woke: "woken by \(step)"
    case .permit: "permit passed on by \(step)"
    case .queue: "next in the queue after \(step)"
    }
  }
}
