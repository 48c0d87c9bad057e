/// Runs of one composition, which form a sample.
private struct RunGroup {
  /// Runs with equal names, compositions, scripts and clocks belong to one sample.
  struct Identity: Hashable {
    let name: String
    let composition: String
    let script: String?
    /// Times of different clocks do not form a sample.
    let clock: ClockKind

    init(_ run: SavedRun) {
      clock = run.record.clock
      name = run.name
      composition = run.composition
      script = run.script
    }

    /// The most detailed description of the run on one line.
    var text: String { script ?? (composition.isEmpty ? name : composition) }
  }

  let identity: Identity
  var runs: [SavedRun]

  /// Groups runs in the order in which the groups first occur, without warm-ups.
  static func all(of runs: [SavedRun]) -> [RunGroup] {
    var groups: [RunGroup] = []
    var positions: [Identity: Int] = [:]
    for run in runs where !run.isWarmUp {
      let identity = Identity(run)
      if let position = positions[identity] {
        groups[position].runs.append(run)
      } else {
        positions[identity] = groups.count
        groups.append(RunGroup(identity: identity, runs: [run]))
      }
    }
    return groups
  }

  /// The first run that is complete, or the first run if none is.
  private var typical: RunRecord { (runs.first { !$0.record.isIncomplete } ?? runs[0]).record }

  func pathsInCommon(with other: RunGroup) -> Int {
    typical.pathsInCommon(with: other.typical)
  }
}

extension SavedRuns {
  /// The makespans of each composition as one sample, without warm-ups and incomplete runs. Samples are in the order in
  /// which they first occur. Each sample has the name of its runs. If several samples share a name, each is named after
  /// its script or composition.
  public var samples: [Sample] {
    let groups = RunGroup.all(of: runs)
    let titles = Self.titles(groups.map { ($0, nil) })
    return zip(titles, groups).map {
      Sample($0, $1.runs.map(\.record).filter { !$0.isIncomplete }.map(\.makespan))
    }
  }

  /// Matches the samples of this file with those of `other`, without warm-ups. The samples of this file come first, in
  /// the order in which they first occur. The samples of `other` without a match follow.
  ///
  /// Runs with the same name, composition, script and clock form a sample. Two samples are matched by the first of
  /// these that they share:
  ///
  /// 1. name, composition and script;
  /// 2. name and composition;
  /// 3. the name;
  /// 4. the pattern at the top;
  /// 5. label paths of steps.
  ///
  /// Among several samples with the same name or pattern, those with the most label paths in common are matched. The
  /// earlier ones win a tie.
  ///
  /// - Returns: for each sample, its runs in this file and in `other`. One of the two may be empty. If the names in the
  ///   two files differ, `name` contains both.
  /// - Complexity: O(n) in the number of steps, for each pair of samples whose label paths are compared. If there are
  ///   more than 10 000 candidate pairs, label paths are not compared: samples with the same name or pattern are
  ///   matched in order.
  public func matched(
    with other: SavedRuns
  ) -> [(name: String, first: [SavedRun], second: [SavedRun])] {
    var matching = RunMatching(RunGroup.all(of: runs), RunGroup.all(of: other.runs))
    func name(_ group: RunGroup) -> String { group.identity.name }
    func pattern(_ group: RunGroup) -> String { group.runs[0].record.pattern }
    matching.pairEqual(\.identity)
    matching.pairEqual { [$0.identity.name, $0.identity.composition] }
    matching.pairByPaths(name)
    matching.pairEqual(name)
    matching.pairByPaths(pattern)
    matching.pairEqual(pattern)
    matching.pairByPaths { _ in "" }
    let pairs = matching.result
    return zip(Self.titles(pairs), pairs).map { title, pair in
      (name: title, first: pair.first?.runs ?? [], second: pair.second?.runs ?? [])
    }
  }

  /// The shortest titles that distinguish the pairs.
  private static func titles(_ pairs: [(first: RunGroup?, second: RunGroup?)]) -> [String] {
    func title(
      _ pair: (first: RunGroup?, second: RunGroup?), _ text: (RunGroup) -> String
    ) -> String {
      let texts = [pair.first, pair.second].compactMap { $0.map(text) }
      return texts.first == texts.last ? texts.first ?? "" : texts.joined(separator: " → ")
    }
    let names = pairs.map { title($0) { $0.identity.name } }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(pairs, names).map { pair, name in
      guard let count = counts[name], count > 1 else { return name }
      return title(pair) { group in
        let text = group.identity.text
        return text.count > longestTitle ? text.prefix(longestTitle - 1) + "…" : text
      }
    }
  }

  private static let longestTitle = 200
}

/// Matches groups in rounds. Each round requires less agreement than the one before.
private struct RunMatching {
  private let first: [RunGroup]
  private let second: [RunGroup]
  /// For each group in `first`, the index of its match in `second`.
  private var partners: [Int?]
  /// The indices of the groups that have no match so far.
  private var left: [Int]
  private var right: [Int]

  /// With more candidate pairs than this, groups are not compared by their label paths.
  private static let mostPairs = 10_000

  init(_ first: [RunGroup], _ second: [RunGroup]) {
    self.first = first
    self.second = second
    partners = Array(repeating: nil, count: first.count)
    left = Array(first.indices)
    right = Array(second.indices)
  }

  /// Matches groups with equal keys, in order.
  mutating func pairEqual(_ key: (RunGroup) -> some Hashable) {
    var waiting = Dictionary(grouping: right.reversed()) { key(second[$0]) }
    for index in left { partners[index] = waiting[key(first[index])]?.popLast() }
    removePaired()
  }

  /// Matches groups that have the same name and at least one label path in common. Pairs with more label paths in
  /// common are matched first.
  mutating func pairByPaths(_ name: (RunGroup) -> String) {
    let candidates = Dictionary(grouping: right) { name(second[$0]) }
    func partners(of index: Int) -> [Int] { candidates[name(first[index])] ?? [] }
    guard left.reduce(0, { $0 + partners(of: $1).count }) <= Self.mostPairs else { return }
    var found: [(common: Int, first: Int, second: Int)] = []
    for index in left {
      for other in partners(of: index) {
        let common = first[index].pathsInCommon(with: second[other])
        if common > 0 { found.append((common, index, other)) }
      }
    }
    found.sort { ($1.common, $0.first, $0.second) < ($0.common, $1.first, $1.second) }
    var taken: Set<Int> = []
    for match in found where self.partners[match.first] == nil {
      if taken.insert(match.second).inserted { self.partners[match.first] = match.second }
    }
    removePaired()
  }

  private mutating func removePaired() {
    let taken = Set(partners.compactMap(\.self))
    left.removeAll { partners[$0] != nil }
    right.removeAll { taken.contains($0) }
  }

  /// The groups of `first`, each with its match, then the groups of `second` without one.
  var result: [(first: RunGroup?, second: RunGroup?)] {
    first.indices.map { (first[$0], partners[$0].map { second[$0] }) }
      + right.map { (nil, second[$0]) }
  }
}
