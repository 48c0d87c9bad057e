internal import DequeModule

/// A wait-for graph: which party waits for which. It contains the parties that can be reached from given parties.
///
/// Holt: Some deadlock properties of computer systems (1972), doi:10.1145/356603.356607.
struct WaitForGraph<Party: Hashable & Sendable>: Sendable {
  /// The parties in the order in which they were found, breadth first.
  private(set) var parties: [Party] = []
  private var targets: [[Int]] = []
  private let numbers: [Party: Int]

  /// - Parameters:
  ///   - starts: the parties to start from.
  ///   - targets: returns the parties that a party waits for, each once.
  /// - Complexity: linear in the number of parties and of edges.
  init(from starts: [Party], targets: (Party) -> [Party]) {
    var numbers: [Party: Int] = [:]
    var parties: [Party] = []
    func number(of party: Party) -> Int {
      if let number = numbers[party] { return number }
      numbers[party] = parties.count
      parties.append(party)
      return parties.count - 1
    }
    for start in starts { _ = number(of: start) }
    var next = 0
    while next < parties.count {
      self.targets.append(targets(parties[next]).map(number))
      next += 1
    }
    self.parties = parties
    self.numbers = numbers
  }

  /// The parties that wait for no other.
  var roots: [Party] { parties.indices.filter { targets[$0].isEmpty }.map { parties[$0] } }

  func targets(of party: Party) -> [Party] {
    numbers[party].map { targets[$0].map { parties[$0] } } ?? []
  }

  /// A shortest path from one party to the first that satisfies `isWanted`, both included; nil if there is none.
  ///
  /// - Complexity: linear in the number of parties and of edges.
  func path(from start: Party, to isWanted: (Party) -> Bool) -> [Party]? {
    guard let first = numbers[start] else { return nil }
    if isWanted(start) { return [start] }
    return walk(from: first) { isWanted(parties[$0]) }?.map { parties[$0] }
  }

  /// A cycle, in which each party waits for the next, and the last for the first; nil if there is none.
  ///
  /// - Complexity: linear in the number of parties and of edges.
  func cycle() -> [Party]? {
    guard let number = numberOnCycle() else { return nil }
    return walk(from: number) { $0 == number }.map { $0.dropLast().map { parties[$0] } }
  }

  /// The path from `start` to the first party that satisfies `isWanted`. `start` itself counts only at the end of a
  /// cycle.
  private func walk(from start: Int, to isWanted: (Int) -> Bool) -> [Int]? {
    var previous: [Int: Int] = [:]
    var waiting: Deque = [start]
    while let number = waiting.popFirst() {
      for target in targets[number] {
        if isWanted(target) {
          var way = [target, number]
          while let last = way.last, last != start, let before = previous[last] {
            way.append(before)
          }
          return way.reversed()
        }
        guard target != start, previous[target] == nil else { continue }
        previous[target] = number
        waiting.append(target)
      }
    }
    return nil
  }

  /// Finds a party on a cycle, depth first. It does not recurse, since a chain may have any length.
  private func numberOnCycle() -> Int? {
    var states = Array(repeating: VisitState.new, count: parties.count)
    var nextTarget = Array(repeating: 0, count: parties.count)
    for start in parties.indices where states[start] == .new {
      var stack = [start]
      states[start] = .open
      while let number = stack.last {
        guard nextTarget[number] < targets[number].count else {
          states[number] = .done
          stack.removeLast()
          continue
        }
        let target = targets[number][nextTarget[number]]
        nextTarget[number] += 1
        switch states[target] {
        case .open: return target
        case .done: break
        case .new:
          states[target] = .open
          stack.append(target)
        }
      }
    }
    return nil
  }
}

private enum VisitState { case new, open, done }
