/// Operators that proceed from one source to the next.
extension Model {
  /// Processes `sources`, a limited number at the same time.
  func convey(
    _ sources: [Node], width: Int, unused: Bool, pull: @escaping (Node) -> Node = { $0 },
    finish: @escaping ([Int]) -> Ending
  ) -> Node {
    let result = node(unused: unused)
    result.gathers = true
    var values: [Int: Int] = [:]
    var (next, places) = (0, width)
    func settled(_ index: Int, _ outcome: Ending) {
      guard case .value(let value) = outcome else { return settle(result, outcome) }
      values[index] = value
      places += 1
      if next < sources.count { result.step = step }
      if values.count == sources.count {
        settle(result, finish(sources.indices.map { values[$0] ?? 0 }))
      }
    }
    func step() {
      let index = next
      next += 1
      places -= 1
      let source = pull(sources[index])
      if next == sources.count || places == 0 { result.step = nil }
      if let outcome = source.outcome {
        settled(index, outcome)
      } else {
        listen(result, to: source, index)
      }
    }
    result.onSettled = settled
    result.step = step
    return result
  }

  /// Tries the sources one after another until one has a value.
  func retry(
    _ sources: [Node], unused: Bool, pause: Duration?, attempt: @escaping () -> Void,
    isWorthIt: @escaping (Ending) -> Bool
  ) -> Node {
    let result = node(unused: unused)
    result.gathers = true
    func start(_ index: Int) {
      attempt()
      listen(result, to: sources[index], index)
    }
    result.onSettled = { [unowned self, unowned result] index, outcome in
      guard outcome.isFailure, index + 1 < sources.count, outcome != .cancelled else {
        return settle(result, outcome)
      }
      // The decision about another attempt is a separate step, which comes a little later.
      result.step = { [unowned self] in
        result.step = nil
        guard isWorthIt(outcome) else { return settle(result, outcome) }
        guard let pause else {
          result.step = {
            result.step = nil
            start(index + 1)
          }
          return
        }
        timers.append((now + pause, result, { start(index + 1) }))
      }
    }
    start(0)
    return result
  }
}
