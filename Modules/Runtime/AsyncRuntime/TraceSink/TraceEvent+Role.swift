extension TraceEvent {
  /// What a mark, or a submitted span, means to the readers of a trace beyond its name. The module that records it
  /// says so; readers know no names.
  public enum Role: UInt8, Sendable, CaseIterable {
    /// Nothing beyond its name.
    case plain
    /// The span is a place where others run, such as a queue, a layer or an actor. It neither starts nor ends.
    case place
    /// A display was asked for.
    case displayAsked
    /// The display called `detail` began, or ended in one of three ways.
    case displayBegan, displayFinished, displayCancelled, displayFailed
    /// What displays was released.
    case displayReleased
    /// The step called `detail` was committed for the end of a run loop's turn.
    case committed
    /// The run loop was woken for what was committed.
    case loopWoken
    /// What was committed was taken to be performed.
    case flushed
    /// The step called `detail` was given that priority.
    case lowPriority, normalPriority, highPriority
    /// The lane is called `detail`.
    case laneName
    /// The span is a task of Swift, or a closure of Dispatch that runs as one.
    case task
    /// The span is called `detail`, whatever label it was submitted with.
    case spanName
    /// The span is a chain of promises. A pattern that promises that its steps have ended says nothing of chains.
    case chain
    /// The counter says how many values the buffer of a stream holds.
    case buffer
  }

  /// The detail of a mark in words, with what its role adds.
  public var detailText: String {
    guard let word = role.word else { return detail }
    return detail.isEmpty ? word : "\(detail), \(word)"
  }
}

extension TraceEvent.Role {
  /// What the role adds to the detail of a mark.
  fileprivate var word: String? {
    switch self {
    case .displayFinished: "finished"
    case .displayCancelled: "cancelled"
    case .displayFailed: "failed"
    case .lowPriority: "low"
    case .normalPriority: "normal"
    case .highPriority: "high"
    case .plain, .place, .task, .displayAsked, .displayBegan, .displayReleased, .committed,
      .loopWoken,
      .flushed, .laneName, .spanName, .chain, .buffer:
      nil
    }
  }
}
