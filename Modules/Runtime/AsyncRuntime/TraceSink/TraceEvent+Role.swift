extension TraceEvent {
  /// The meaning of a mark, a counter, a submitted span, a start, a resumption or an end, for code that reads a
  /// trace. The recording module states it, so that readers need not know any names.
  public enum Role: UInt8, Sendable, CaseIterable {
    /// No meaning beyond its name.
    case plain
    /// The span is a place where other spans run, such as a queue, a layer or an actor. It neither
    /// starts nor ends.
    case place
    /// A display was requested.
    case displayAsked
    /// The display called `detail` began, or ended in one of three ways.
    case displayBegan, displayFinished, displayCancelled, displayFailed
    /// The object that displays was released.
    case displayReleased
    /// The step called `detail` was committed for the end of a run loop's turn.
    case committed
    /// The run loop was woken for committed steps.
    case loopWoken
    /// Committed steps were taken out, to be performed.
    case flushed
    /// The step called `detail` has this priority.
    case lowPriority, normalPriority, highPriority
    /// The lane is called `detail`.
    case laneName
    /// The span is a Swift task, or a Dispatch closure that runs as one.
    case task
    /// The name of the span is `detail`, whatever label it was submitted with.
    case spanName
    /// The span is a chain of promises. A pattern's promise that all of its steps have ended does
    /// not cover chains.
    case chain
    /// The counter is the number of values in the buffer of a stream.
    case buffer
    /// The span failed because its own timer ran out.
    case timedOut
    /// The span started with work that holds its lane until `worked`.
    case working
    /// The span that starts or resumes is a task to which no code refers any more. So no code can ever await it.
    case unreferenced
  }

  /// The detail of a mark, with the words that its role adds.
  public var detailText: String {
    guard let word = role.word else { return detail }
    return detail.isEmpty ? word : "\(detail), \(word)"
  }
}

extension TraceEvent.Role {
  /// The words that the role adds to the detail of a mark.
  fileprivate var word: String? {
    switch self {
    case .displayFinished: "finished"
    case .displayCancelled: "cancelled"
    case .displayFailed: "failed"
    case .lowPriority: "low"
    case .normalPriority: "normal"
    case .highPriority: "high"
    case .plain, .place, .task, .displayAsked, .displayBegan, .displayReleased, .committed,
      .loopWoken, .flushed, .laneName, .spanName, .chain, .buffer, .timedOut, .working,
      .unreferenced:
      nil
    }
  }
}
