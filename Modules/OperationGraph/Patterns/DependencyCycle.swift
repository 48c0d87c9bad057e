/// How far a search for a cycle is with a position.
private enum Mark { case new, onPath, done }

extension [[Int]] {
  /// For each position those that it waits for: the positions along a cycle, the first one again at its end.
  ///
  /// - Complexity: O(positions + what they wait for); it needs no stack.
  var firstCycle: [Int]? {
    var marks = [Mark](repeating: .new, count: count)
    for root in indices where marks[root] == .new {
      // Depth first: `path` is the way down, `next` how far each on it has looked.
      var path = [root]
      var next = [0]
      marks[root] = .onPath
      while let position = path.last {
        let place = next[next.count - 1]
        guard place < self[position].count else {
          marks[position] = .done
          path.removeLast()
          next.removeLast()
          continue
        }
        next[next.count - 1] += 1
        let other = self[position][place]
        switch marks[other] {
        case .new:
          marks[other] = .onPath
          path.append(other)
          next.append(0)
        case .onPath:
          guard let start = path.firstIndex(of: other) else { continue }
          return path[start...] + [other]
        case .done: break
        }
      }
    }
    return nil
  }
}
