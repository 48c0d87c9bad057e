extension SpanTable {
  /// More curves are too many to look at.
  private static let mostQueues = 3

  /// Of the actors for which tasks waited for long: how many did, over time.
  ///
  /// - Complexity: O(n log n) in the number of those waits.
  var queuesOfActors: [Counter] {
    waitsForContendedActors.prefix(Self.mostQueues).map { actor, waits in
      var changes = waits.flatMap { [(time: $0.from, by: 1.0), (time: $0.to, by: -1.0)] }
      changes.sort { $0.time < $1.time }
      var points: [(time: Int64, value: Double)] = []
      for change in changes {
        let value = (points.last?.value ?? 0) + change.by
        // Of what happens at one instant, only the last counts.
        if points.last?.time == change.time { points.removeLast() }
        points.append((change.time, value))
      }
      return Counter(node: actor, name: "queue of \(nodes[actor].label)", points: points)
    }
  }
}
