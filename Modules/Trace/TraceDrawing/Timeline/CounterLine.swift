/// One line in a picture: a counter over the whole run, although several steps may have recorded it in turn.
package struct CounterLine {
  var name: String
  /// The step that recorded the line. Nil unless other steps recorded a counter of that name at the same time.
  var step: String?
  var points: [CounterRecord.Point]
  /// The positions, among all counters, of those that form the line.
  package var counters: [Int] = []

  /// A title that no other line has.
  package var title: String { step.map { "\(name) of \($0)" } ?? name }

  /// The lines of the counters of a run, grouped by name, in the order in which the names first occur.
  ///
  /// If several steps record a counter of one name in turn, it is one line. For example, a property that three steps
  /// animate in turn is one property. If any two of them record at the same time, it is a property of several things.
  /// Then each step has a separate line.
  ///
  /// - Parameter counters: in the order in which they start.
  /// - Complexity: O(n log n) in the number of counters, O(n) in the number of their points.
  package static func lines(of counters: [CounterRecord]) -> [CounterLine] {
    var order: [String] = []
    var byName: [String: [Member]] = [:]
    for (position, counter) in counters.enumerated() {
      // A record may come from any source: values that are not finite cannot be drawn.
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
