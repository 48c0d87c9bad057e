import AsyncSimulation

extension Scenario {
  static let sets = [
    // The program links CDeterministicHashing: otherwise the order would differ from run to run.
    Scenario("sets and dictionaries have one order, in which tasks are started", outcomes: nil) {
      let names: Set = ["amber", "birch", "coral", "dune", "ember", "fjord"]
      let numbers = Dictionary(uniqueKeysWithValues: names.map { ($0, $0.count) })
      return await withTaskGroup(of: String.self) { group in
        for name in names { group.addTask { name } }
        for (name, number) in numbers { group.addTask { "\(name) \(number)" } }
        return await group.reduce(into: []) { $0.append($1) }.joined(separator: ", ")
      }
    }
  ]
}
