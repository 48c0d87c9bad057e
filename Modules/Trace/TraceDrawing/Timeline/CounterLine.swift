/// What is one line in a picture: a counter over the whole run, whichever steps recorded it in turn.
package struct CounterLine {
  var name: String
  /// The step whose line it is, where others recorded a counter of that name at the same time.
  var step: String?
  var points: [CounterRecord.Point]
  /// The positions of the counters that it is made of, among all.
  package var counters: [Int] = []

  /// What tells it from all others.
  package var title: String { step.map { "\(name) of \($0)" } ?? name }

  /// The lines of the counters of a run, in the order in which they begin.
  ///
  /// Steps that record a counter of one name one after the other make one line: a property that three
  /// steps animate in turn is one property. Where any two of them record at the same time, it is a
  /// property of several things, and each step has a line of its own.
  ///
  /// - Parameter counters: in the order in which they begin.
  /// - Complexity: O(n log n) in the number of counters, O(n) in that of their points.
  package static func lines(of counters: [CounterRecord]) -> [CounterLine] {
    var order: [String] = []
    var byName: [String: [Member]] = [:]
    for (position, counter) in counters.enumerated() {
      // Nobody has to have recorded what stands in a record: what is no number has no place in a picture.
      var counter = counter
      counter.points.removeAll { !$0.value.isFinite }
      if counter.points.isEmpty { continue }
      if byName[counter.name] == nil { order.append(counter.name) }
      byName[counter.name, default: []].append((position, counter))
    }
    return order.flatMap { name in lines(of: byName[name] ?? [], name) }
  }

  private typealias Member = (position: Int, counter: CounterRecord)

  private static func lines(of members: [Member], _ name: String) -> [CounterLine] {
    let inTurn = zip(members, members.dropFirst()).allSatisfy { earlier, later in
      (earlier.counter.points.last?.time ?? .min) <= (later.counter.points.first?.time ?? .max)
    }
    if inTurn {
      return [
        CounterLine(
          name: name, points: members.flatMap(\.counter.points), counters: members.map(\.position))
      ]
    }
    return members.map { member in
      CounterLine(
        name: name, step: member.counter.step, points: member.counter.points,
        counters: [member.position])
    }
  }
}
