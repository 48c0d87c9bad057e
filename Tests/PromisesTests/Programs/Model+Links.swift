/// How links settle from the outcome of their source.
extension Model {
  /// The outcomes for which a handler runs.
  enum Wants {
    case value, failure, any, none

    func holds(_ outcome: Ending) -> Bool {
      switch self {
      case .value: !outcome.isFailure
      case .failure: outcome.isFailure
      case .any: true
      case .none: false
      }
    }
  }

  /// A promise that settles itself with the result of `body` for the outcome of its source, if it handles that outcome.
  func link(
    to source: Node, _ wants: Wants, isBound: Bool? = nil, canCancel: Bool? = nil,
    _ body: @escaping (Node, Ending) -> Void = { _, _ in }
  ) -> Node {
    let link = node(unused: source.unused, isBound: isBound ?? source.isBound, canCancel: canCancel)
    link.onSettled = { [unowned self, unowned link] _, outcome in
      guard wants.holds(outcome) else { return settle(link, outcome) }
      if link.isBound, isTokenCancelled { return cancel(link) }
      body(link, outcome)
    }
    listen(link, to: source)
    return link
  }

  /// A promise that is settled after `delay`.
  func timer(_ delay: Duration, isBound: Bool) -> Node {
    let timer = node(unused: true, isBound: isBound, isWatched: true)
    timers.append((now + delay, timer, { [unowned self] in settle(timer, .value(0)) }))
    return timer
  }

  func delay(_ source: Node, _ duration: Duration) -> Node {
    link(to: source, .value) { [unowned self] link, outcome in
      let timer = timer(duration, isBound: link.isBound)
      adopt(link, self.link(to: timer, .value) { link, _ in self.settle(link, outcome) })
    }
  }

  func timeout(_ source: Node, _ limit: Duration, _ late: Ending) -> Node {
    if !source.isPending {
      if source.outcome != nil { return source }
    }
    let timer = timer(limit, isBound: false)
    let result = node(unused: source.unused, isBound: source.isBound)
    gather([source, timer], into: result) { index, outcome, _ in index == 0 ? outcome : late }
    return result
  }

  /// Listens to several sources.
  ///
  /// - Parameter rule: gets the index of the source, its outcome, and whether all are settled.
  func gather(
    _ sources: [Node], into result: Node, by rule: @escaping (Int, Ending, Bool) -> Ending?
  ) {
    result.gathers = true
    var missing = sources.count
    result.onSettled = { [unowned self, unowned result] index, outcome in
      missing -= 1
      if let outcome = rule(index, outcome, missing == 0) { settle(result, outcome) }
    }
    for (index, source) in sources.enumerated() where result.isPending {
      if let outcome = source.outcome {
        result.onSettled?(index, outcome)
      } else {
        listen(result, to: source, index)
      }
    }
  }
}
