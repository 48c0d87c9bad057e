extension HandOver.Kind {
  /// The text beside an arrow.
  package var words: String {
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
  package func words(naming step: String) -> String {
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

extension EdgeRecord.Kind {
  /// The text beside an edge.
  var words: String {
    let kind: HandOver.Kind =
      switch self {
      case .spawned: .spawned
      case .dependency: .dependency
      case .resolvedBy: .resolvedBy
      case .woke: .woke
      case .permitFrom: .permit
      }
    return kind.words
  }
}
