extension SpanTable {
  /// The maximum number of curves. More would be too many to look at.
  private static let mostQueues = 3

  /// For each actor for which tasks waited for long, the number of waiting tasks over time.
  ///
  /// - Complexity: O(n log n) in the number of those waits.
  var queuesOfActors: [Counter] {
    waitsForContendedActors.prefix(Self.mostQueues).map { actor, waits in
      var changes = waits.flatMap { [(time: $0.from, by: 1.0), (time: $0.to, by: -1.0)] }
      changes.sort { $0.time < $1.time }
      var points: [(time: Int64, value: Double)] = []
      for change in changes {
        let value = (points.last?.value ?? 0) + change.by
        // Only the last value at one instant counts.
        if points.last?.time == change.time { points.removeLast() }
        points.append((change.time, value))
      }
      return Counter(node: actor, name: "queue of \(label(of: actor))", points: points)
    }
  }
}
